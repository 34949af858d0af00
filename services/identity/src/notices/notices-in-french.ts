import { planName } from '@tapeline/contracts/actor'
import type { NoticeTexts } from './notice-texts.ts'

const NOT_YOU = 'Si vous ne reconnaissez pas cette action, révoquez la clé.'

const WINDOWS = {
  burst: 'de la limite par seconde',
  min: 'de la limite par minute',
  hour: 'de la limite par heure',
  day: 'de la limite quotidienne',
  month: 'de la limite mensuelle',
  conc: 'de la limite de requêtes simultanées',
}

export const noticesInFrench: NoticeTexts = {
  quota({ policy, level, used, limit, ends_at }, { count, share, moment }) {
    const which = policy === 'day' ? 'quotidienne' : 'mensuelle'
    const fill = `Requêtes utilisées : ${count(used)} sur ${count(limit)}.`
    if (level < 100) return { title: `${share(level)} de votre limite ${which} sont utilisés`, text: fill }
    const when = ends_at === null ? 'à mesure que les précédentes auront plus de 24 heures' : `le ${moment(ends_at)}`
    return { title: `Votre limite ${which} est épuisée`, text: `${fill} D’autres seront admises ${when}.` }
  },
  key_created: ({ name }) => ({ title: `La clé API « ${name} » a été créée`, text: NOT_YOU }),
  key_revoked: ({ name }) => ({
    title: `La clé API « ${name} » a été révoquée`,
    text: 'Toute requête faite avec elle est désormais refusée.',
  }),
  key_expiring: ({ name, days_left, expires_at }, { count, moment }) => ({
    title: `La clé API « ${name} » expire dans ${days_left === 1 ? 'un jour' : `${count(days_left)} jours`}`,
    text: `Elle cesse de fonctionner le ${moment(expires_at)}. Repoussez son expiration ou créez une nouvelle clé.`,
  }),
  key_expired: ({ name, expires_at }, { moment }) => ({
    title: `La clé API « ${name} » a expiré`,
    text: `Elle ne fonctionne plus depuis le ${moment(expires_at)}.`,
  }),
  key_used_from_new_network: ({ name, network }) => ({
    title: `La clé API « ${name} » a été utilisée depuis un nouveau réseau`,
    text: `Sa première requête est venue de ${network}. ${NOT_YOU}`,
  }),
  trial_ending: ({ tier, tier_after, days_left, ends_at }, { count, moment }) => ({
    title: `Votre essai de l’offre ${planName(tier)} se termine dans ${days_left === 1 ? 'un jour' : `${count(days_left)} jours`}`,
    text: `Le ${moment(ends_at)}, votre compte revient à l’offre ${planName(tier_after)}. Rien n’est facturé.`,
  }),
  webhook_disabled: ({ name, because, failing_since }, { moment }) => ({
    title: `Le point de terminaison « ${name} » a été désactivé`,
    text:
      because === 'gone'
        ? 'Il a répondu 410 Gone. Réactivez-le quand il accepte les envois, puis renvoyez ce qui manque.'
        : `Il n’a accepté aucun envoi depuis le ${moment(failing_since)}. Réactivez-le quand il accepte les envois, puis renvoyez ce qui manque.`,
  }),
  key_leaked: ({ name, outcome }) => ({
    title: `La clé API « ${name} » a fuité`,
    text: {
      revoked: 'Son secret complet a été trouvé en public : elle est révoquée. Créez une nouvelle clé.',
      old_secret_ended:
        'Son ancien secret a été trouvé en public et ne fonctionne plus. Le nouveau secret fonctionne toujours.',
      warned: 'Son secret complet a été trouvé en public. Régénérez-la ou révoquez-la maintenant.',
    }[outcome],
  }),
  usage_alert: ({ name, policy, percent, used, limit, key_name: key }, { count, share }) => ({
    title: `Alerte « ${name} » : ${share(percent)} ${WINDOWS[policy]} sont utilisés`,
    text: `${policy === 'conc' ? 'Requêtes simultanées' : 'Requêtes utilisées'}${key === null ? '' : ` avec la clé « ${key} »`} : ${count(used)} sur ${count(limit)}.`,
  }),
  trial_ended: ({ tier, tier_after }) => ({
    title: `Votre essai de l’offre ${planName(tier)} est terminé`,
    text: `Votre compte a maintenant l’offre ${planName(tier_after)}.`,
  }),
}
