import { I18nProvider } from '@lingui/react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { i18n } from '../../language/i18n.ts'
import { activateLanguage } from '../activate-language.ts'
import { PlansSummary } from './PlansSummary.tsx'

// Other test files of this process begin in English.
afterEach(() => activateLanguage('en'))

const textOf = (language: 'en' | 'es'): string => {
  activateLanguage(language)
  const page = renderToStaticMarkup(createElement(I18nProvider, { i18n }, createElement(PlansSummary)))
  const shown = page.replaceAll(/<span[^>]* hidden="">[^<]*<\/span>/g, '')
  return shown.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

test('the prerendered page has the price and the limits of every plan', () => {
  const text = textOf('en')
  expect(text).toContain('Free Custom 10 requests a minute 1,000 a month')
  expect(text).toContain('Basic Most Popular $29 per month 100 requests a minute 100,000 a month')
  expect(text).toContain('Pro Best Value $99 per month 500 requests a minute 1,000,000 a month')
})

test('prices have the format of the page’s language', () => {
  expect(textOf('es')).toContain('29 $')
})
