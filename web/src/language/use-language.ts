import { useLingui } from '@lingui/react'
import type { Language } from '@tapeline/contracts/language'
import { language } from '../platform.ts'

/** The calling component and its children render again when the language changes. */
export function useLanguage(): Language {
  useLingui()
  return language.get()
}
