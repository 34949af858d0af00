import type { Language } from '../mail/language.ts'
import type { Letter, Template } from '../mail/templates.ts'
import type { ReminderFacts } from './reminder-facts.ts'
import { reminderWords } from './reminder-words.ts'

type Data = { facts: ReminderFacts; webOrigin: string }

const FRAMES: Record<Language, { open: string; footer: (url: string) => string }> = {
  en: {
    open: 'Open the dashboard',
    footer: (url) => `You receive this summary once a day. Change the hour or turn it off in your profile: ${url}`,
  },
  es: {
    open: 'Abrir el panel',
    footer: (url) => `Tapeline envía este resumen una vez al día. La hora se cambia o se quita en tu perfil: ${url}`,
  },
  fr: {
    open: 'Ouvrir le tableau de bord',
    footer: (url) =>
      `Tapeline envoie ce résumé une fois par jour. L’heure se change, ou s’arrête, dans votre profil : ${url}`,
  },
}

export const reminderLetter: Template<Data> = (data) => ({
  en: letterIn('en', data),
  es: letterIn('es', data),
  fr: letterIn('fr', data),
})

function letterIn(language: Language, { facts, webOrigin }: Data): Letter {
  const { title, summary, limits, keys } = reminderWords(facts, language)
  const { open, footer } = FRAMES[language]
  return {
    subject: title,
    paragraphs: [summary],
    facts: [...limits, ...keys],
    action: { label: open, url: `${webOrigin}/dashboard/metrics` },
    footer: footer(`${webOrigin}/dashboard`),
  }
}
