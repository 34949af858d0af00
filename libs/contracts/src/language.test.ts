import { expect, test } from 'vitest'
import { chooseLanguage, type LanguageHints } from './language.ts'

const hints = (some: Partial<LanguageHints>): LanguageHints => ({
  search: '',
  cookie: undefined,
  acceptLanguage: undefined,
  ...some,
})

test.each([
  [
    'the address before all else',
    { search: '?a=1&lang=fr', cookie: 'tapeline-language=es', acceptLanguage: 'en' },
    'fr',
  ],
  ['then what was chosen', { cookie: 'a=b; tapeline-language=es', acceptLanguage: 'fr' }, 'es'],
  ['then what the browser prefers', { acceptLanguage: 'de-DE, fr-CA;q=0.7, es;q=0.9' }, 'es'],
  ['a language with weight 0 is not wanted', { acceptLanguage: 'fr;q=0, es;q=0.1' }, 'es'],
  ['a language that there is not counts for nothing', { search: '?lang=xx', cookie: 'tapeline-language=de' }, 'en'],
  ['a region says which language', { acceptLanguage: 'FR-fr' }, 'fr'],
  ['nothing said', {}, 'en'],
] as const)('%s', (_case, some, language) => {
  expect(chooseLanguage(hints(some))).toBe(language)
})
