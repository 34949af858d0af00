import type { Messages } from '@lingui/core'
import type { Language } from '@tapeline/contracts/language'

/** Messages loaded together: see web/lingui.config.ts. */
export type Area = 'shell' | 'dashboard' | 'public'

const CATALOGS: Record<Exclude<Language, 'en'>, Record<Area, () => Promise<{ messages: Messages }>>> = {
  es: {
    shell: () => import('../locales/es/shell.po'),
    dashboard: () => import('../locales/es/dashboard.po'),
    public: () => import('../locales/es/public.po'),
  },
  fr: {
    shell: () => import('../locales/fr/shell.po'),
    dashboard: () => import('../locales/fr/dashboard.po'),
    public: () => import('../locales/fr/public.po'),
  },
}

/** The translations of a part of the pages; English is in the code. */
export async function loadCatalog(language: Language, area: Area): Promise<Messages> {
  return language === 'en' ? {} : (await CATALOGS[language][area]()).messages
}
