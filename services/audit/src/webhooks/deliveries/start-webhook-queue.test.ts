import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { openTestWebhooks } from '../../../test/webhook-app.fixture.ts'
import { startWebhookQueue } from './start-webhook-queue.ts'
import { createWebhookPoster } from './webhook-poster.ts'

const ENDPOINTS = 12
const EVENTS = 10
const WITHIN_MS = 180_000
/** Longer than the test: the silent endpoint occupies its worker until the end. */
const TIMEOUT_MS = 600_000

const { deps, receiver, subscriber, announce, keyCreated, deliveries, close } = await openTestWebhooks()
const poster = createWebhookPoster({ rules: deps.addresses, timeoutMs: TIMEOUT_MS })
const queue = startWebhookQueue(
  { ...deps, poster },
  { redisUrl: testServers().redisUrl, name: `webhooks-${crypto.randomUUID()}`, logger: silentLogger },
)
afterAll(async () => {
  await queue.stop()
  poster.close()
  await close()
})

test(
  'endpoints that never answer or fail do not delay the others, through the real queue',
  { timeout: 2 * WITHIN_MS },
  async () => {
    const [silent, failing] = [await subscriber(), await subscriber()]
    receiver.answer(silent.path, 'never')
    receiver.answer(failing.path, { status: 500 })
    const others: Awaited<ReturnType<typeof subscriber>>[] = []
    for (let n = 0; n < ENDPOINTS; n += 1) others.push(await subscriber())
    for (let n = 0; n < EVENTS; n += 1) {
      for (const { actor } of [silent, failing, ...others]) await announce(keyCreated(actor))
    }
    await waitUntil(
      'every healthy endpoint has every event',
      async () => {
        const counts = others.map(({ path }) => receiver.receivedAt(path).length)
        return counts.every((count) => count >= EVENTS) ? counts : undefined
      },
      WITHIN_MS,
    )
    for (const { path } of others) {
      const sequences = receiver.receivedAt(path).map(({ body }) => Number(JSON.parse(body).sequence))
      expect(sequences.toSorted((a, b) => a - b)).toEqual(Array.from({ length: EVENTS }, (_, n) => n + 1))
    }
    await waitUntil('the silent endpoint has four', () => receiver.receivedAt(silent.path).length >= 4)
    expect(receiver.receivedAt(silent.path)).toHaveLength(4)
    expect((await deliveries(silent.actor, silent.id)).every(({ state }) => state === 'waiting')).toBe(true)
  },
)
