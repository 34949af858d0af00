/** The languages of the pages and of the mails. */
export const LANGUAGES = ['en', 'es', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

/** Stores the visitor's choice; contains only the two-letter language code. */
export const LANGUAGE_COOKIE = 'tapeline-language'
/** Query parameter that selects and stores the language. */
export const LANGUAGE_PARAMETER = 'lang'

const DEFAULT_LANGUAGE: Language = 'en'

export type LanguageHints = { search: string; cookie: string | undefined; acceptLanguage: string | undefined }

/** Precedence: query parameter, stored choice, browser preference. */
export function chooseLanguage({ search, cookie, acceptLanguage }: LanguageHints): Language {
  return languageInAddress(search) ?? languageOf(cookieValue(cookie)) ?? preferred(acceptLanguage) ?? DEFAULT_LANGUAGE
}

/** The language named in a query string; undefined when none or an unsupported one is named. */
export function languageInAddress(search: string): Language | undefined {
  return languageOf(new URLSearchParams(search).get(LANGUAGE_PARAMETER) ?? undefined)
}

function cookieValue(cookie = ''): string | undefined {
  const found = cookie.split(/;\s*/).find((one) => one.startsWith(`${LANGUAGE_COOKIE}=`))
  return found?.slice(LANGUAGE_COOKIE.length + 1)
}

/** The supported language with the highest weight; the first in the header wins a tie. */
function preferred(acceptLanguage = ''): Language | undefined {
  const supported = acceptLanguage.split(',').flatMap((one) => {
    const [tag = '', ...parameters] = one.split(';').map((part) => part.trim())
    const language = languageOf(tag.toLowerCase().split('-')[0])
    const weight = Number(/^q=([\d.]+)$/.exec(parameters.join(''))?.[1] ?? 1)
    return language === undefined || !(weight > 0) ? [] : [{ language, weight }]
  })
  return supported.toSorted((one, other) => other.weight - one.weight)[0]?.language
}

function languageOf(value: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === value)
}
