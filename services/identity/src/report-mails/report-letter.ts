import type { Language } from '../mail/language.ts'
import type { Mail } from '../mail/mail.ts'
import type { Letter, Template } from '../mail/templates.ts'

type Report = Extract<Mail, { kind: 'report' }>
type Words = { subject: string; paragraphs: string[]; open: string; footer: string }
type Facts = { name: string; from: string; to: string; total: string }

const PATH = '/dashboard/reports'
const DAY_CHARACTERS = 'YYYY-MM-DD'.length

const WORDS: Record<Language, (facts: Facts) => Words> = {
  en: ({ name, from, to, total }) => ({
    subject: `Report “${name}”`,
    paragraphs: [`Requests from ${from} to ${to}: ${total}. The numbers are in the attached file.`],
    open: 'Open your reports',
    footer:
      'You are receiving this report because it was set up in your account. Change, pause or delete it on the Reports page.',
  }),
  es: ({ name, from, to, total }) => ({
    subject: `Informe «${name}»`,
    paragraphs: [`Peticiones del ${from} al ${to}: ${total}. Las cifras están en el archivo adjunto.`],
    open: 'Abrir tus informes',
    footer:
      'Recibes este informe porque tu cuenta lo creó en Tapeline. Cámbialo, páusalo o elimínalo en la página Informes.',
  }),
  fr: ({ name, from, to, total }) => ({
    subject: `Rapport « ${name} »`,
    paragraphs: [`Requêtes du ${from} au ${to} : ${total}. Les chiffres sont dans le fichier joint.`],
    open: 'Ouvrir vos rapports',
    footer:
      'Vous recevez ce rapport parce que votre compte l’a créé sur Tapeline. Modifiez-le, mettez-le en pause ou supprimez-le sur la page Rapports.',
  }),
}

/** Days are those of the account's time zone when the report was made. */
export const reportLetter: Template<Omit<Report, 'kind'> & { webOrigin: string }> = (report) => ({
  en: letterIn('en', report),
  es: letterIn('es', report),
  fr: letterIn('fr', report),
})

function letterIn(
  language: Language,
  { name, from, to, total, webOrigin }: Omit<Report, 'kind'> & { webOrigin: string },
): Letter {
  const facts = { name, from: dayIn(language, from), to: dayIn(language, to), total: countIn(language, total) }
  const { subject, paragraphs, open, footer } = WORDS[language](facts)
  return { subject, paragraphs, action: { label: open, url: `${webOrigin}${PATH}` }, footer }
}

function countIn(language: Language, total: number): string {
  return new Intl.NumberFormat(language).format(total)
}

/** The date of a time with an offset, as the place of that offset writes it. */
function dayIn(language: Language, at: string): string {
  const date = new Date(`${at.slice(0, DAY_CHARACTERS)}T00:00:00Z`)
  return new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' }).format(
    date,
  )
}
