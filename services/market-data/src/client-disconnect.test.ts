import { signActorToken, ACTOR_HEADER } from '@tapeline/service/actor-token'
import { someUser } from '@tapeline/testing/actors'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { createDeps } from './deps.ts'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

const { pool, drop } = await openTestDatabase<Tables>(migrations)
const app = await createApp(
  createDeps(pool, () => new Date(), 'a secret of at least 32 characters'),
  { logger: silentLogger, internalKeys: testInternalKeys, checks: {} },
)
const url = await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(async () => {
  await app.close()
  await drop()
})

const waitingForLock = async (): Promise<number> => {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.n ?? 0
}

test('the query of a disconnected client is cancelled', async () => {
  let cancelled = 0
  pool.on('remove', () => (cancelled += 1))
  const locker = await pool.connect()
  // However long the test takes, PostgreSQL does not end this idle transaction.
  await locker.query(
    'begin; set local idle_in_transaction_session_timeout = 0; lock table trade in access exclusive mode',
  )
  try {
    // A client that disconnects before its statement waits cancels nothing: the test tries again.
    await waitUntil('a statement was cancelled', async () => {
      const controller = new AbortController()
      const actor = someUser({ tier: 'pro' })
      const token = signActorToken(testInternalKeys, {
        caller: 'gateway',
        audience: 'market-data',
        actor,
        nowMs: Date.now(),
      })
      const pending = fetch(`${url}/api/v1/trades/list`, {
        method: 'POST',
        headers: { [ACTOR_HEADER]: token, 'content-type': 'application/json' },
        body: '{"venues":["sim"]}',
        signal: controller.signal,
      })
      const settled = pending.catch(() => {})
      await waitUntil('it waits', async () => (await waitingForLock()) > 0, 2_000).catch(() => {})
      controller.abort()
      await settled
      return cancelled > 0
    })
    // A cancelled statement stops waiting before the lock is released.
    await waitUntil('no statement waits', async () => (await waitingForLock()) === 0)
    expect(cancelled).toBeGreaterThan(0)
  } finally {
    await locker.query('rollback')
    locker.release()
  }
})
