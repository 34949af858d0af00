import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RedisServer } from '@tapeline/testing/redis/redis-server'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { startDeliveryQueue } from './delivery-queue.ts'

const WITHIN_MS = 60_000
const AN_HOUR_MS = 3_600_000
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
  await waitUntil('the last has left', () => delivered.length > 0, WITHIN_MS)
  await queue.stop()
  expect(delivered).toEqual(['the-last'])
})
