import type { Language } from '../mail/language.ts'
import type { ReminderFacts } from './reminder-facts.ts'

const PERCENT = 100

/** The text for mail and push: numbers and dates in the user's language, times in their time zone. */
export type ReminderWords = { title: string; summary: string; limits: string[]; keys: string[] }

type Phrases = {
  title: (day: string) => string
  summary: (facts: { requests: string; errors: string; denied: string }) => string
  limit: (which: 'day' | 'month', use: { used: string; limit: string; share: string }) => string
  key: (name: string, at: string) => string
}

const PHRASES: Record<Language, Phrases> = {
  en: {
    title: (day) => `Your account on ${day}`,
    summary: ({ requests, errors, denied }) =>
      `Requests: ${requests}. Errors: ${errors}. Rejected by limits: ${denied}.`,
    limit: (which, { used, limit, share }) =>
      `${which === 'day' ? 'Daily' : 'Monthly'} limit: ${used} of ${limit} used (${share}).`,
    key: (name, at) => `API key “${name}” expires on ${at}.`,
  },
  es: {
    title: (day) => `Tu cuenta el ${day}`,
    summary: ({ requests, errors, denied }) =>
      `Peticiones: ${requests}. Errores: ${errors}. Rechazadas por los límites: ${denied}.`,
    limit: (which, { used, limit, share }) =>
      `Límite ${which === 'day' ? 'diario' : 'mensual'}: ${used} de ${limit} (${share}).`,
    key: (name, at) => `La clave de API «${name}» caduca el ${at}.`,
  },
  fr: {
    title: (day) => `Votre compte, le ${day}`,
    summary: ({ requests, errors, denied }) =>
      `Requêtes : ${requests}. Erreurs : ${errors}. Refusées par les limites : ${denied}.`,
    limit: (which, { used, limit, share }) =>
      `Limite ${which === 'day' ? 'quotidienne' : 'mensuelle'} : ${used} sur ${limit} (${share}).`,
    key: (name, at) => `La clé API « ${name} » expire le ${at}.`,
  },
}

/** Texts of a reminder in the language of the account, with times in its time zone. */
export function reminderWords(facts: ReminderFacts, language: Language): ReminderWords {
  const phrases = PHRASES[language]
  const count = (value: number) => new Intl.NumberFormat(language).format(value)
  const share = new Intl.NumberFormat(language, { style: 'percent' })
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: facts.time_zone,
  })
  return {
    title: phrases.title(day.format(new Date(`${facts.day}T00:00:00Z`))),
    summary: phrases.summary({
      requests: count(facts.requests),
      errors: count(facts.errors),
      denied: count(facts.denied),
    }),
    limits: facts.limits.map(({ policy, used, limit }) =>
      phrases.limit(policy === 'month' ? 'month' : 'day', {
        used: count(used),
        limit: count(limit),
        share: share.format(limit === 0 ? 0 : Math.floor((used * PERCENT) / limit) / PERCENT),
      }),
    ),
    keys: facts.keys.map(({ name, expires_at }) => phrases.key(name, moment.format(new Date(expires_at)))),
  }
}
