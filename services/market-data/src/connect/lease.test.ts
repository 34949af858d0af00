import { openTestDatabase } from '@tapeline/testing/test-database'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { renewLease } from './connector-queries.ts'
import { holdLease } from './run/hold-lease.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)

function contender(holder: string, feed: string) {
  const stopping = new AbortController()
  const state = { isWorking: false }
  const running = holdLease({ db, feed, holder, logger: silentLogger, signal: stopping.signal }, async (signal) => {
    state.isWorking = true
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    state.isWorking = false
  })
  return {
    state,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

test('one of two processes has the lease; when it stops, the other takes over', async () => {
  const one = contender('one', 'kraken')
  await waitUntil('the first works', () => one.state.isWorking)
  const other = contender('other', 'kraken')
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect([one.state.isWorking, other.state.isWorking]).toEqual([true, false])
  await one.stop()
  await waitUntil('the other works', () => other.state.isWorking)
  await other.stop()
})

test('a holder that was killed is replaced when its lease has expired', async () => {
  expect(await renewLease(db, { feed: 'okx', holder: 'killed', forMs: 4_000 })).toBe(true)
  const other = contender('other', 'okx')
  const startedMs = performance.now()
  await waitUntil('the other works', () => other.state.isWorking)
  expect(performance.now() - startedMs).toBeGreaterThan(2_000)
  await other.stop()
})

test('a holder whose lease was taken stops its work', async () => {
  const one = contender('one', 'coinbase')
  await waitUntil('it works', () => one.state.isWorking)
  await db
    .updateTable('venue_lease')
    .set({ holder: 'thief', expires_at: new Date(Date.now() + 60_000) })
    .execute()
  await waitUntil('it stopped', () => !one.state.isWorking)
  await one.stop()
})
