import type { I18n } from '@lingui/core'
import {
  chooseLanguage,
  type Language,
  languageInAddress,
  LANGUAGE_COOKIE,
  LANGUAGES,
} from '@tapeline/contracts/language'
import type { Area, loadCatalog } from './catalogs.ts'

const KEPT_SECONDS = 365 * 24 * 3_600

type LanguageDeps = {
  i18n: I18n
  load: typeof loadCatalog
  root: { lang: string }
  cookies: { read: () => string; write: (cookie: string) => void }
  search: string
  /** Preferred languages of the browser, best first. */
  preferred: readonly string[]
  isSecure: boolean
}

/** The language of this browser. Areas are loaded when a page needs them, in the current language. */
export function createLanguageStore({ i18n, load, root, cookies, search, preferred, isSecure }: LanguageDeps) {
  const areas = new Set<Area>(['shell'])
  const loaded = new Set<string>()
  let selected = chooseLanguage({ search, cookie: cookies.read(), acceptLanguage: preferred.join(',') })

  async function loadOnce(language: Language, area: Area): Promise<void> {
    if (loaded.has(language + area)) return
    try {
      i18n.load(language, await load(language, area))
      loaded.add(language + area)
    } catch {
      // The messages contain their English text; the next page tries to load the catalog again.
    }
  }

  function save(language: Language): void {
    const secure = isSecure ? '; Secure' : ''
    cookies.write(`${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${KEPT_SECONDS}; SameSite=Lax${secure}`)
  }

  async function show(): Promise<void> {
    const language = selected
    await Promise.all([...areas].map((area) => loadOnce(language, area)))
    // Another one may have been chosen in the meantime.
    if (language !== selected) return
    root.lang = language
    if (i18n.locale !== language) i18n.activate(language)
  }

  return {
    get: (): Language => selected,
    /** Called before the first render. A language in the URL is stored. */
    start: async (): Promise<void> => {
      const named = languageInAddress(search)
      if (named !== undefined) save(named)
      await show()
    },
    /** Loads the translations of an area before a page of it is rendered. */
    need: async (area: Area): Promise<void> => {
      areas.add(area)
      await loadOnce(selected, area)
    },
    /** Applies immediately and is stored. A language without translations is ignored. */
    choose: async (language: string): Promise<void> => {
      const chosen = LANGUAGES.find((one) => one === language)
      if (chosen === undefined || chosen === selected) return
      selected = chosen
      save(chosen)
      await show()
    },
  }
}
