import { createServer as createHttpServer } from 'node:http'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Type } from 'typebox'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { PARTIAL_OUTAGE_HEADER } from '../app-error.ts'
import { createServiceClient } from './call-service.ts'
import { createServer } from '../create-server.ts'

const app = await createServer({
  name: 'config',
  logger: silentLogger,
  internalKeys: testInternalKeys,
  checks: {},
  now: () => new Date(),
})
let answered = 0
app.get<{ Params: { status: string } }>(
  '/internal/status/:status',
  { config: { access: { services: ['identity'] } } },
  async ({ params }, reply) => {
    answered += 1
    return reply.code(Number(params.status)).send({ tier: 'free' })
  },
)
let failing = 0
app.get('/internal/tier', { config: { access: { services: ['identity'] } } }, async () => ({ tier: 'pro' }))
app.get('/internal/broken', { config: { access: { services: ['identity'] } } }, async () => {
  failing += 1
  throw new Error('broken')
})
const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())

const client = (caller: 'identity' | 'audit') =>
  createServiceClient({ caller, audience: 'config', baseUrl, keys: testInternalKeys, timeoutMs: 60_000 })
const Tier = Type.Object({ tier: Type.String() })

test('a service is authorized by its own name, and others get a 404', async () => {
  expect(await client('identity').call({ path: '/internal/tier', answer: Tier })).toEqual({ tier: 'pro' })
  expect(await client('audit').call({ path: '/internal/tier', answer: Tier })).toBeUndefined()
})

test('a response with an unexpected shape is an error', async () => {
  const call = client('identity').call({ path: '/internal/tier', answer: Type.Object({ tier: Type.Integer() }) })
  await expect(call).rejects.toMatchObject({ code: 'service.unavailable' })
})

test('every status from 200 to 299 is an answer', async () => {
  const identity = client('identity')
  for (const status of [200, 299]) {
    expect(await identity.call({ path: `/internal/status/${status}`, answer: Tier })).toEqual({ tier: 'free' })
  }
  const call = identity.call({ path: '/internal/status/300', answer: Tier })
  await expect(call).rejects.toMatchObject({ code: 'service.unavailable' })
})

test('after five consecutive failures the breaker stops sending requests', async () => {
  const one = client('identity')
  for (let call = 0; call < 8; call += 1) {
    await expect(one.call({ path: '/internal/broken', answer: Tier })).rejects.toMatchObject({
      status: 503,
      headers: { [PARTIAL_OUTAGE_HEADER]: 'true' },
    })
  }
  expect(failing).toBe(5)
})

test.each([
  [400, 6],
  [401, 6],
  [403, 6],
  [422, 6],
  [408, 5],
  [429, 5],
  [500, 5],
])('of six calls answered %i, the breaker lets %i through: a rejection is not an outage', async (status, sent) => {
  // The breaker lets a probe through every second.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => void vi.restoreAllMocks())
  const one = client('identity')
  answered = 0
  for (let call = 0; call < 6; call += 1) {
    const rejected = one.call({ path: `/internal/status/${status}`, answer: Tier })
    await expect(rejected).rejects.toMatchObject({ code: 'service.unavailable' })
  }
  expect(answered).toBe(sent)
})

test('an unread failure body does not keep its connection occupied', async () => {
  let isLeft = false
  const endless = createHttpServer((_request, reply) => {
    reply.on('close', () => (isLeft = true))
    reply.writeHead(500).write('it goes on')
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  const address = endless.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const options = { caller: 'identity', audience: 'config', keys: testInternalKeys, timeoutMs: 300_000 } as const
  const call = createServiceClient({ ...options, baseUrl: url }).call({ path: '/internal/tier', answer: Tier })
  await expect(call).rejects.toMatchObject({ code: 'service.unavailable' })
  await waitUntil('the connection is free', () => isLeft)
  endless.closeAllConnections()
  endless.close()
})

test('a request on a connection that the server has just closed is retried', async () => {
  const requestsBySocket = new Map<unknown, number>()
  const forgetful = createHttpServer((request, reply) => {
    const times = (requestsBySocket.get(request.socket) ?? 0) + 1
    requestsBySocket.set(request.socket, times)
    if (times > 1) request.socket.destroy()
    else reply.setHeader('content-type', 'application/json').end('{"tier":"pro"}')
  })
  await new Promise<void>((resolve) => forgetful.listen(0, '127.0.0.1', resolve))
  const address = forgetful.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const options = { caller: 'identity', audience: 'config', keys: testInternalKeys, timeoutMs: 60_000 } as const
  const service = createServiceClient({ ...options, baseUrl: url })
  for (let n = 0; n < 3; n += 1) {
    expect(await service.call({ path: '/internal/tier', answer: Tier })).toEqual({ tier: 'pro' })
  }
  expect([...requestsBySocket.values()]).toContain(2)
  forgetful.closeAllConnections()
  forgetful.close()
})
