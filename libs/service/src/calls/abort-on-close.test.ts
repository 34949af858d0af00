import { once } from 'node:events'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { afterAll, expect, test } from 'vitest'
import { createServer } from '../create-server.ts'
import { DEADLINE_HEADER, abortOnClose } from './abort-on-close.ts'

const options = { logger: silentLogger, internalKeys: testInternalKeys, checks: {}, now: () => new Date() }
const app = await createServer({ name: 'market-data', ...options })
let isLeft = Promise.withResolvers<void>()
app.get('/waits', { config: { access: 'open' } }, async (_request, reply) => {
  await once(abortOnClose(reply), 'abort')
  isLeft.resolve()
  return {}
})
const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/waits`
afterAll(() => app.close())

test('work is aborted at its deadline even while its connection is open', async () => {
  expect((await fetch(url, { headers: { [DEADLINE_HEADER]: '50' } })).status).toBe(200)
})

test.each([{}, { [DEADLINE_HEADER]: 'soon' }])('work is aborted when the client disconnects: %j', async (headers) => {
  isLeft = Promise.withResolvers<void>()
  const leaving = new AbortController()
  const asked = fetch(url, { headers, signal: leaving.signal }).catch(() => 'left')
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 500))])
  leaving.abort()
  expect(await asked).toBe('left')
  await isLeft.promise
})
