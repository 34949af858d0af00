import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { afterAll, expect, test } from 'vitest'
import { createServer } from '../create-server.ts'
import { DEADLINE_HEADER, abortOnClose } from './abort-on-close.ts'

const DEADLINE_MS = 1_500
/** The deadline and the grace that is added to it. */
const LONGER_THAN_DEADLINE_MS = 2_500
const options = { logger: silentLogger, internalKeys: testInternalKeys, checks: {}, now: () => new Date() }
const app = await createServer({ name: 'market-data', ...options })
let isReceived = Promise.withResolvers<void>()
let isLeft = Promise.withResolvers<void>()
app.get('/waits', { config: { access: 'open' } }, async (_request, reply) => {
  const isAborted = once(abortOnClose(reply), 'abort')
  isReceived.resolve()
  await isAborted
  isLeft.resolve()
  return {}
})
app.get('/streams', { config: { access: 'open' } }, async (_request, reply) => {
  const signal = abortOnClose(reply)
  async function* chunks(): AsyncGenerator<string> {
    yield 'begun '
    await setTimeout(LONGER_THAN_DEADLINE_MS)
    yield String(signal.aborted)
  }
  return reply.send(Readable.from(chunks()))
})
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const url = `${origin}/waits`
afterAll(() => app.close())

test('work is aborted at its deadline even while its connection is open', async () => {
  expect((await fetch(url, { headers: { [DEADLINE_HEADER]: '50' } })).status).toBe(200)
})

test('a response that has begun before the deadline is not aborted by it', async () => {
  const response = await fetch(`${origin}/streams`, { headers: { [DEADLINE_HEADER]: String(DEADLINE_MS) } })
  expect(await response.text()).toBe('begun false')
})

test.each([{}, { [DEADLINE_HEADER]: 'soon' }])('work is aborted when the client disconnects: %j', async (headers) => {
  isReceived = Promise.withResolvers<void>()
  isLeft = Promise.withResolvers<void>()
  const controller = new AbortController()
  const pending = fetch(url, { headers, signal: controller.signal }).catch(() => 'left')
  await isReceived.promise
  controller.abort()
  expect(await pending).toBe('left')
  await isLeft.promise
})
