import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadCatalog } from '../../language/catalogs.ts'
import { i18n } from '../../language/i18n.ts'
import { cellText } from './cell-text.ts'
import { PLAN_GROUPS } from './plan-rows.ts'
import { PLANS } from './plans.ts'
import { shippedText, shippedWords, shownTexts } from './shipped-texts.ts'

beforeAll(async () => {
  i18n.load('es', await loadCatalog('es', 'public'))
  i18n.activate('es')
})
afterAll(() => i18n.activate('en'))

test('every text of the shipped plans is translated; a text that an operator wrote is shown as it is', () => {
  const texts = PLANS.flatMap((tier) => shownTexts(tierDocuments[tier])).filter((text) => text !== null)
  const unchanged = texts.filter((text) => shippedText(text) === text)
  // The same words in Spanish.
  expect(new Set(unchanged)).toEqual(new Set(['Webhooks', 'chat']))
  expect(shippedText('Answers from our desk in Zurich')).toBe('Answers from our desk in Zurich')
})

test('the island gets the translated texts by their English ones; in English none', () => {
  expect(shippedWords(({ display }) => [display.badge])).toEqual({
    'text:Most Popular': shippedText('Most Popular'),
    'text:Best Value': shippedText('Best Value'),
  })
  i18n.activate('en')
  expect(shippedWords(shownTexts)).toEqual({})
  i18n.activate('es')
})

test('the time to a response is shown in the language of the page', () => {
  const row = PLAN_GROUPS.flatMap(({ rows }) => rows).find(({ id }) => id === 'responseTime')
  const words = (name: string, { count = 0 } = {}): string => `${name} ${count}`
  const shown = (responseTime: string) => {
    const { pro } = tierDocuments
    const cell = row?.cell({ ...pro, support: { ...pro.support, responseTime } }) ?? { kind: 'missing' as const }
    return cellText(cell, { words, known: shippedText, language: 'es' })
  }
  expect([shown('4 hours'), shown('1 hour'), shown('the next day')]).toEqual(['hours 4', 'hours 1', 'the next day'])
})
