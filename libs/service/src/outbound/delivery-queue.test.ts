import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listenForWork } from '@tapeline/database/work-signals'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { RedisServer } from '@tapeline/testing/redis/redis-server'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { startDeliveryQueue } from './delivery-queue.ts'

/** A queue becomes quiet after ten seconds. */
const TIMEOUT_MS = 150_000
const AN_HOUR_MS = 3_600_000
/** More than the interval of a busy queue; a quiet one polls every five seconds, so again after this and more than: */
const QUIET_MS = 1_500
const AT_ONCE_MS = 3_000
const dir = mkdtempSync(join(tmpdir(), 'tapeline-delivery-queue-'))
const redis = await RedisServer.start(dir)
afterAll(async () => {
  await redis.stop()
  rmSync(dir, { recursive: true, force: true })
})

test('a full page of rows that are retried in an hour does not delay those after it', async () => {
  const stuck = Array.from({ length: 500 }, (_, n) => `stuck-${String(n).padStart(3, '0')}`)
  const waiting = [...stuck, 'the-last']
  const delivered: string[] = []
  const queue = startDeliveryQueue(
    {
      what: 'thing',
      listWaiting: async (limit, after) => {
        const from = after === undefined ? 0 : waiting.indexOf(after) + 1
        return waiting.filter((id) => !delivered.includes(id)).slice(from, from + limit)
      },
      deliver: async (id) => {
        if (id !== 'the-last') throw new Error('the server is unavailable')
        delivered.push(id)
      },
      retry: { attempts: 2, backoff: { type: 'fixed', delay: AN_HOUR_MS } },
      atOnce: 4,
    },
    { redisUrl: redis.url, name: 'test', logger: silentLogger },
  )
  await waitUntil('the last has left', () => delivered.length > 0)
  await queue.stop()
  expect(delivered).toEqual(['the-last'])
})

test('an idle queue polls rarely, and delivers announced rows at once', { timeout: TIMEOUT_MS }, async () => {
  const database = await openTestDatabase<unknown>({})
  const signals = listenForWork({ connectionString: database.url })
  const [waiting, delivered, polls]: [string[], string[], number[]] = [[], [], []]
  const queue = startDeliveryQueue(
    {
      what: 'thing',
      announced: { as: ['thing'], nextDue: async () => undefined },
      listWaiting: async () => {
        polls.push(performance.now())
        return waiting.filter((id) => !delivered.includes(id))
      },
      deliver: async (id) => void delivered.push(id),
      retry: { attempts: 2, backoff: { type: 'fixed', delay: AN_HOUR_MS } },
      atOnce: 1,
      pollIntervalMs: 100,
    },
    { redisUrl: redis.url, name: 'announced', logger: silentLogger, signals },
  )
  const isQuiet = () => performance.now() - (polls.at(-1) ?? 0) > QUIET_MS
  // More than once, because a busy machine can delay a delivery.
  await waitUntil('an announced row is delivered at once', async () => {
    await waitUntil('the queue polls rarely', isQuiet)
    const id = crypto.randomUUID()
    waiting.push(id)
    const announcedMs = performance.now()
    await database.pool.query(`select pg_notify('tapeline_work', 'thing')`)
    await waitUntil('it is delivered', () => delivered.includes(id))
    return performance.now() - announcedMs < AT_ONCE_MS
  })
  await queue.stop()
  await signals.stop()
  await database.drop()
})
