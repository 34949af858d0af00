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

/** The lease of a feed; its end is by the clock of the database. */
async function leaseOf(feed: string): Promise<{ holder: string; expiresMs: number } | undefined> {
  const row = await db.selectFrom('venue_lease').selectAll().where('feed', '=', feed).executeTakeFirst()
  return row && { holder: row.holder, expiresMs: row.expires_at.getTime() }
}

test('one of two processes has the lease; when it stops, the other takes over', async () => {
  const one = contender('one', 'kraken')
  await waitUntil('the first works', () => one.state.isWorking)
  const other = contender('other', 'kraken')
  const acquired = await leaseOf('kraken')
  const renewed = await waitUntil('the lease is renewed twice, a second after one another', async () => {
    const lease = await leaseOf('kraken')
    return lease !== undefined && lease.expiresMs > (acquired?.expiresMs ?? 0) + 1_500 ? lease : undefined
  })
  // A process that stands still for four seconds loses its lease to the other.
  const [holder, waiting] = renewed.holder === 'one' ? [one, other] : [other, one]
  await waitUntil('only the holder works', () => holder.state.isWorking && !waiting.state.isWorking)
  await holder.stop()
  await waitUntil('the waiting one works', () => waiting.state.isWorking)
  await waiting.stop()
})

test('a holder that was killed is replaced when its lease has expired', async () => {
  expect(await renewLease(db, { feed: 'okx', holder: 'killed', forMs: 4_000 })).toBe(true)
  const killed = await leaseOf('okx')
  const other = contender('other', 'okx')
  await waitUntil('the other works', () => other.state.isWorking)
  const taken = await leaseOf('okx')
  // A lease lasts 4 s: the other acquired its first one when that of the killed process had expired.
  expect(taken?.holder).toBe('other')
  expect(taken?.expiresMs).toBeGreaterThanOrEqual((killed?.expiresMs ?? Infinity) + 4_000)
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
