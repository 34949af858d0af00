import type { TierConfig, TierDocument } from '@tapeline/contracts/config/tiers'
import { expect, test } from 'vitest'
import { limitWarnings } from './limit-warnings.ts'
import { editedTiers, shownIn, withEdit } from './tier-edits.ts'
import { TIER_SECTIONS, tierInWords } from './tier-fields.ts'

const document: TierDocument = {
  display: {
    name: 'Basic',
    description: '',
    features: ['one', 'two'],
    popular: false,
    badge: 'Most Popular',
    color: 'x',
  },
  billing: { monthlyPrice: 29, yearlyPrice: 290, yearlyDiscount: 17, currency: 'USD', trialPeriod: 14 },
  rateLimits: {
    requestsPerMinute: 100,
    requestsPerHour: 1_000,
    requestsPerDay: 10_000,
    requestsPerMonth: 100_000,
    burstLimit: 20,
    concurrentRequests: 5,
    streamConnections: 5,
    streamMessagesPerSecond: 50,
  },
  features: {
    apiAccess: true,
    realTimeData: true,
    historicalData: true,
    basicAnalytics: true,
    advancedAnalytics: false,
    customReports: false,
    dataExport: true,
    webhooks: true,
    apiKeyManagement: true,
    emailSupport: true,
    prioritySupport: false,
    dedicatedSupport: false,
  },
  support: { channels: ['email'], responseTime: '24 h', availability: 'weekdays' },
}
const tiers: TierConfig = {
  free: structuredClone(document),
  basic: structuredClone(document),
  pro: structuredClone(document),
  metadata: { version: '2.0.0', defaultTrialPeriod: 14 },
}

const edit = (pointer: string, kind: Parameters<typeof withEdit>[2]['kind'], typed: string | boolean) =>
  withEdit({}, tiers, { pointer, kind, typed })

test('the form has every field of a document, each once', () => {
  const inDocument = Object.entries(document).flatMap(([part, fields]) =>
    Object.keys(fields).map((name) => `/${part}/${name}`),
  )
  const inForm = TIER_SECTIONS.flatMap(({ fields }) => fields.map(({ at }) => at))
  expect(inForm.toSorted()).toEqual(inDocument.toSorted())
})

test('an edited value is sent at its path, and nothing else changes', () => {
  const edits = {
    ...edit('/pro/rateLimits/burstLimit', 'number', ' 50 '),
    ...edit('/pro/billing/yearlyDiscount', 'number?', ''),
    ...edit('/basic/display/badge', 'words?', ' '),
    ...edit('/basic/display/features', 'lines', 'one\n\n three '),
    ...edit('/free/features/webhooks', 'flag', false),
    ...edit('/metadata/defaultTrialPeriod', 'number', '7'),
  }
  const { yearlyDiscount: _, ...billing } = document.billing
  expect(editedTiers(tiers, edits)).toStrictEqual({
    free: { ...document, features: { ...document.features, webhooks: false } },
    basic: { ...document, display: { ...document.display, badge: null, features: ['one', 'three'] } },
    pro: { ...document, rateLimits: { ...document.rateLimits, burstLimit: 50 }, billing },
    metadata: { version: '2.0.0', defaultTrialPeriod: 7 },
  })
  expect(tiers.basic.display.badge).toBe('Most Popular')
})

test('text that is not a number is sent for validation by the server', () => {
  expect(editedTiers(tiers, edit('/pro/billing/monthlyPrice', 'number', 'much'))).toMatchObject({
    pro: { billing: { monthlyPrice: 'much' } },
  })
  expect(editedTiers(tiers, edit('/pro/billing/monthlyPrice', 'number', ''))).toMatchObject({
    pro: { billing: { monthlyPrice: null } },
  })
})

test('entering the current value is not a change', () => {
  const field = { pointer: '/pro/rateLimits/burstLimit', kind: 'number' } as const
  const edits = withEdit({}, tiers, { ...field, typed: '50' })
  expect(shownIn(edits, tiers, field)).toBe('50')
  const back = withEdit(edits, tiers, { ...field, typed: '20' })
  expect(back).toEqual({})
  expect(shownIn(back, tiers, field)).toBe('20')
})

test("an edit is applied on top of another user's change of a different field", () => {
  const theirs = { ...tiers, basic: { ...document, billing: { ...document.billing, trialPeriod: 30 } } }
  expect(editedTiers(theirs, edit('/pro/rateLimits/burstLimit', 'number', '50'))).toMatchObject({
    basic: { billing: { trialPeriod: 30 } },
    pro: { rateLimits: { burstLimit: 50 } },
  })
})

test('a tier is summarized in one line', () => {
  expect(tierInWords(document)).toBe('29 USD a month, 100 a minute')
  expect(tierInWords({ ...document, billing: { ...document.billing, monthlyPrice: 0 } })).toBe('Custom, 100 a minute')
})

test('typing a limit above that of a longer window shows a warning', () => {
  const minute = '/basic/rateLimits/requestsPerMinute'
  expect(limitWarnings(tiers, {})).toEqual({})
  expect(limitWarnings(tiers, { [minute]: { kind: 'number', typed: '5000' } })).toEqual({
    [minute]: 'Never reached: “Requests per hour” allows only 1,000.',
  })
  expect(limitWarnings(tiers, { [minute]: { kind: 'number', typed: 'many' } })).toEqual({})
})
