import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { expect, test } from 'vitest'
import { proposalSearch, proposedEdits } from './proposed-limits.ts'

const editsOf = (search: Record<string, string>) => proposedEdits(new URLSearchParams(search), tierDocuments)

test('limits of a replay are entered in the form of the tier as text', () => {
  const today = tierDocuments.pro.rateLimits
  const proposal = { burstLimit: 80, requestsPerMinute: today.requestsPerMinute, requestsPerDay: 'many' }
  expect(editsOf(proposalSearch('pro', proposal))).toEqual({
    '/pro/rateLimits/burstLimit': { kind: 'number', typed: '80' },
    '/pro/rateLimits/requestsPerDay': { kind: 'number', typed: 'many' },
  })
})

test('a URL without a tier or with other fields proposes nothing', () => {
  expect(editsOf({ tab: 'tiers', tier: 'pro' })).toEqual({})
  expect(editsOf({ tab: 'tiers', tier: 'none', limits: 'burstLimit:1' })).toEqual({})
  expect(editsOf({ tab: 'tiers', tier: 'pro', limits: 'price:1 burstLimit' })).toEqual({})
})
