import { planName } from '@tapeline/contracts/actor'
import type { NoticeTexts } from './notice-texts.ts'

const NOT_YOU = 'Si no lo reconoces, revoca la clave.'

const WINDOWS = {
  burst: 'del límite por segundo',
  min: 'del límite por minuto',
  hour: 'del límite por hora',
  day: 'del límite diario',
  month: 'del límite mensual',
  conc: 'del límite de peticiones simultáneas',
}

export const noticesInSpanish: NoticeTexts = {
  quota({ policy, level, used, limit, ends_at }, { count, share, moment }) {
    const which = policy === 'day' ? 'diario' : 'mensual'
    const fill = `Se han usado ${count(used)} de ${count(limit)} peticiones.`
    if (level < 100) return { title: `Has usado el ${share(level)} de tu límite ${which}`, text: fill }
    const when = ends_at === null ? 'a medida que las anteriores cumplan 24 horas' : `el ${moment(ends_at)}`
    return { title: `Tu límite ${which} está agotado`, text: `${fill} Se admitirán más ${when}.` }
  },
  key_created: ({ name }) => ({ title: `Se ha creado la clave de API «${name}»`, text: NOT_YOU }),
  key_revoked: ({ name }) => ({
    title: `Se ha revocado la clave de API «${name}»`,
    text: 'A partir de ahora se rechaza toda petición hecha con ella.',
  }),
  key_expiring: ({ name, days_left, expires_at }, { count, moment }) => ({
    title: `La clave de API «${name}» caduca en ${days_left === 1 ? 'un día' : `${count(days_left)} días`}`,
    text: `Deja de funcionar el ${moment(expires_at)}. Dale una fecha posterior o crea una clave nueva.`,
  }),
  key_expired: ({ name, expires_at }, { moment }) => ({
    title: `La clave de API «${name}» ha caducado`,
    text: `Dejó de funcionar el ${moment(expires_at)}.`,
  }),
  key_used_from_new_network: ({ name, network }) => ({
    title: `La clave de API «${name}» se ha usado desde una red nueva`,
    text: `Su primera petición llegó desde ${network}. ${NOT_YOU}`,
  }),
  trial_ending: ({ tier, tier_after, days_left, ends_at }, { count, moment }) => ({
    title: `Tu prueba del plan ${planName(tier)} termina en ${days_left === 1 ? 'un día' : `${count(days_left)} días`}`,
    text: `El ${moment(ends_at)} tu cuenta vuelve al plan ${planName(tier_after)}. No se cobra nada.`,
  }),
  webhook_disabled: ({ name, because, failing_since }, { moment }) => ({
    title: `El endpoint de webhooks «${name}» se ha desactivado`,
    text:
      because === 'gone'
        ? 'Respondió 410 Gone. Actívalo de nuevo cuando acepte entregas y reenvía las que se perdieron.'
        : `No ha aceptado ninguna entrega desde el ${moment(failing_since)}. Actívalo de nuevo cuando las acepte y reenvía las que se perdieron.`,
  }),
  key_leaked: ({ name, outcome }) => ({
    title: `La clave de API «${name}» se ha filtrado`,
    text: {
      revoked: 'Alguien encontró su secreto completo en público, así que se ha revocado. Crea una clave nueva.',
      old_secret_ended:
        'Alguien encontró en público su secreto anterior, que ya no funciona. El secreto nuevo sigue funcionando.',
      warned: 'Alguien encontró su secreto completo en público. Regenérala o revócala ahora.',
    }[outcome],
  }),
  usage_alert: ({ name, policy, percent, used, limit, key_name: key }, { count, share }) => ({
    title: `Alerta «${name}»: se ha usado el ${share(percent)} ${WINDOWS[policy]}`,
    text: `${policy === 'conc' ? 'Había' : 'Se han usado'} ${count(used)} de ${count(limit)} peticiones${policy === 'conc' ? ' simultáneas' : ''}${key === null ? '' : ` con la clave «${key}»`}.`,
  }),
  trial_ended: ({ tier, tier_after }) => ({
    title: `Tu prueba del plan ${planName(tier)} ha terminado`,
    text: `Tu cuenta tiene ahora el plan ${planName(tier_after)}.`,
  }),
}
