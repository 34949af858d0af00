import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { expect, test } from 'vitest'
import { checkTiers } from './check-tiers.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'

function withLimits(changes: Partial<RateLimits>) {
  const { basic } = tierDocuments
  return { ...tierDocuments, basic: { ...basic, rateLimits: { ...basic.rateLimits, ...changes } } }
}

test.each([
  ['burstLimit', { burstLimit: 101 }],
  ['requestsPerMinute', { requestsPerMinute: 1_001 }],
  ['requestsPerHour', { requestsPerHour: 10_001 }],
  ['requestsPerDay', { requestsPerDay: 100_001 }],
  ['concurrentRequests', { concurrentRequests: 0 }],
  ['requestsPerDay', { requestsPerDay: 1.5 }],
])('an invalid %s is rejected with its place', (name, changes) => {
  const failure = expect.objectContaining({
    code: 'tier.invalid',
    errors: [expect.objectContaining({ field: `/basic/rateLimits/${name}` })],
  })
  expect(() => checkTiers(withLimits(changes))).toThrow(failure)
})

test('equal limits of two windows are valid', () => {
  const limits = { burstLimit: 7, requestsPerMinute: 7, requestsPerHour: 7, requestsPerDay: 7, requestsPerMonth: 7 }
  expect(checkTiers(withLimits(limits)).basic.rateLimits).toMatchObject(limits)
})

test('every invalid limit is reported at once', () => {
  const check = () => checkTiers(withLimits({ burstLimit: 101, requestsPerHour: 10_001 }))
  const fields = ['/basic/rateLimits/burstLimit', '/basic/rateLimits/requestsPerHour']
  expect(check).toThrow(expect.objectContaining({ errors: fields.map((field) => expect.objectContaining({ field })) }))
})

test.each([null, {}, { ...tierDocuments, gold: tierDocuments.pro }, { ...tierDocuments, free: undefined }])(
  'case %#: invalid tier documents are rejected',
  (documents) => expect(() => checkTiers(documents)).toThrow(expect.objectContaining({ code: 'tier.invalid' })),
)

test.each([
  ['monthlyPrice', { monthlyPrice: 29.995, yearlyDiscount: 19 }],
  ['monthlyPrice', { monthlyPrice: 0.004, yearlyPrice: 0, yearlyDiscount: 100 }],
  ['yearlyPrice', { yearlyPrice: 290.001 }],
])('a %s with more than two decimals is rejected, unless it is the stored one', (name, prices) => {
  const { basic } = tierDocuments
  const documents = { ...tierDocuments, basic: { ...basic, billing: { ...basic.billing, ...prices } } }
  const error = { field: `/basic/billing/${name}`, message: `${name} must be a multiple of 0.01` }
  expect(() => checkTiers(documents)).toThrow(expect.objectContaining({ errors: [expect.objectContaining(error)] }))
  expect(checkTiers(documents, documents)).toEqual(documents)
})

test.each([0.29, 29.99, 1_000.1])('a monthly price of %f is valid', (monthlyPrice) => {
  const { basic } = tierDocuments
  const billing = { ...basic.billing, monthlyPrice, yearlyPrice: 0, yearlyDiscount: 100 }
  expect(checkTiers({ ...tierDocuments, basic: { ...basic, billing } }).basic.billing).toEqual(billing)
})
