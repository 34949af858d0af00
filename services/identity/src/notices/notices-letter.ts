import type { Language } from '../mail/language.ts'
import type { Mail } from '../mail/mail.ts'
import type { Letter, Template } from '../mail/templates.ts'
import { noticeWords } from './notice-words.ts'

type Data = Omit<Extract<Mail, { kind: 'notices' }>, 'kind'> & { webOrigin: string }

type Frame = { subject: (count: number) => string; open: string; footer: (url: string) => string }

const FRAMES: Record<Language, Frame> = {
  en: {
    subject: (count) => `${count} updates about your account`,
    open: 'Open the dashboard',
    footer: (url) => `Change how often you receive these messages, and whether by email or push: ${url}`,
  },
  es: {
    subject: (count) => `${count} novedades de tu cuenta`,
    open: 'Abrir el panel',
    footer: (url) => `Tú decides con qué frecuencia te escribe Tapeline, y si por correo o por aviso: ${url}`,
  },
  fr: {
    subject: (count) => `${count} nouvelles de votre compte`,
    open: 'Ouvrir le tableau de bord',
    footer: (url) => `La fréquence des messages de Tapeline, par e-mail ou notification, se règle ici : ${url}`,
  },
}

/** A single notice is the subject; several are a list. */
export const noticesLetter: Template<Data> = (data) => ({
  en: letterIn('en', data),
  es: letterIn('es', data),
  fr: letterIn('fr', data),
})

function letterIn(language: Language, { notices, time_zone: timeZone = 'UTC', webOrigin }: Data): Letter {
  const { subject, open, footer } = FRAMES[language]
  const texts = notices.map((notice) => noticeWords(notice, language, timeZone))
  const [first] = texts
  const about =
    texts.length === 1 && first !== undefined
      ? { subject: first.title, paragraphs: [first.text] }
      : {
          subject: subject(texts.length),
          paragraphs: [],
          facts: texts.map(({ title, text }) => `${title}. ${text}`),
        }
  return {
    ...about,
    action: { label: open, url: `${webOrigin}/dashboard/metrics` },
    footer: footer(`${webOrigin}/dashboard/settings`),
  }
}
