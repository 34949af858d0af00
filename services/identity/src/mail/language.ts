import type { AccountProfile } from '@tapeline/contracts/config/http'

export const LANGUAGES = ['en', 'es', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

/** The language of the user's settings if mails are translated to it, otherwise English. */
export function languageOf(profile: AccountProfile | undefined): Language {
  const settings = settingsOf(profile?.configs.user_settings)
  return LANGUAGES.find((language) => language === settings.language) ?? 'en'
}

/** Settings are stored as a JSON string or an object. */
export function settingsOf(saved: unknown): Record<string, unknown> {
  if (typeof saved === 'object' && saved !== null) return { ...saved }
  if (typeof saved !== 'string') return {}
  try {
    return settingsOf(JSON.parse(saved))
  } catch {
    return {}
  }
}
