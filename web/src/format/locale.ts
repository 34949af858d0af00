import { i18n } from '../language/i18n.ts'

/** Days before months, as the page's English writes them; numbers with a comma between thousands. */
const DATES = new Map([['en', 'en-GB']])
const NUMBERS = new Map([['en', 'en-US']])

const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

export function dateLocale(): string {
  return DATES.get(i18n.locale) ?? i18n.locale
}

/** The number format of the current language; created once, because tables contain many numbers. */
export function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const name = i18n.locale + JSON.stringify(options)
  const format = numberFormats.get(name) ?? new Intl.NumberFormat(NUMBERS.get(i18n.locale) ?? i18n.locale, options)
  numberFormats.set(name, format)
  return format
}

/** Cached as for numbers: creating a format takes much longer than using it. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = i18n.locale + JSON.stringify(options)
  const format = dateFormats.get(name) ?? new Intl.DateTimeFormat(dateLocale(), options)
  dateFormats.set(name, format)
  return format
}
