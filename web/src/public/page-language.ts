import { type Language, LANGUAGES } from '@tapeline/contracts/language'
import { i18n } from '../language/i18n.ts'

/** The language that is being rendered: pages of prose have a text per language. */
export function pageLanguage(): Language {
  return LANGUAGES.find((language) => language === i18n.locale) ?? 'en'
}
