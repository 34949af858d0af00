import type { Language } from '@tapeline/contracts/language'
import { i18n } from '../language/i18n.ts'
import { messages as esPublic } from '../locales/es/public.po'
import { messages as esShell } from '../locales/es/shell.po'
import { messages as frPublic } from '../locales/fr/public.po'
import { messages as frShell } from '../locales/fr/shell.po'

i18n.load({ es: { ...esShell, ...esPublic }, fr: { ...frShell, ...frPublic } })

/** Sets the language of everything rendered from now on. */
export function activateLanguage(language: Language): void {
  i18n.activate(language)
}
