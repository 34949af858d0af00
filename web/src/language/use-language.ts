import { useLingui } from '@lingui/react'
import type { Language } from '@tapeline/contracts/language'
import { language } from '../platform.ts'

/** Whatever calls it, and what is drawn below, is drawn anew in another language. */
export function useLanguage(): Language {
  useLingui()
  return language.get()
}
