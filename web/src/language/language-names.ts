import type { Language } from '@tapeline/contracts/language'

/** Each in its own language. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', es: 'Español', fr: 'Français' }
