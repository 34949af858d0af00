import { WEBHOOK_EVENT_TYPES, WEBHOOK_RETRY_DELAYS_S } from '@tapeline/contracts/audit/webhooks'
import { expect, test } from 'vitest'
import { EVENT_TYPES, newestAttempts, RETRY_DELAYS_S } from './event-types.ts'

test('every published event type can be chosen once, and retries follow the published delays', () => {
  expect(EVENT_TYPES.toSorted()).toEqual([...WEBHOOK_EVENT_TYPES].toSorted())
  expect(RETRY_DELAYS_S).toEqual(WEBHOOK_RETRY_DELAYS_S)
})

test('a redelivery that was not tried yet shows none of the earlier attempts', () => {
  expect(newestAttempts(['a', 'b', 'c'], 0)).toEqual([])
  expect(newestAttempts(['a', 'b', 'c'], 2)).toEqual(['b', 'c'])
  expect(newestAttempts(['a'], 2)).toEqual(['a'])
})
