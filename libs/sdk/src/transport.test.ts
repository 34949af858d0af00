import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type ReceivedRequest, json, problem, startFaultyServer } from '../test/faulty-server.fixture.ts'
import { Tapeline } from './tapeline.ts'

const limits = json({ data: { tier: 'free' } })
const clientOf = (baseUrl: string, options = {}) => new Tapeline({ apiKey: 'tl_test_1', baseUrl, ...options })

test('times may be endless; a signal ends a pause with its own reason, of any type', async () => {
  const later = (reply: ServerResponse, request: ReceivedRequest) => void setTimeout(() => limits(reply, request), 100)
  const server = await startFaultyServer(later)
  const options = { timeoutMs: Infinity, budgetMs: Infinity, retriesMax: 0 }
  expect(await clientOf(server.url, options).limits.read()).toEqual({ tier: 'free' })
  const controller = new AbortController()
  const full = await startFaultyServer((reply, request) => {
    problem(429, 'limit.month_exceeded', { 'retry-after': '2678400' })(reply, request)
    setTimeout(() => controller.abort('enough'), 500)
  })
  const reading = clientOf(full.url, { budgetMs: Infinity }).limits.read({ signal: controller.signal })
  await expect(reading).rejects.toBe('enough')
  expect(full.requests).toHaveLength(1)
})

test('a change of the clock does not end the retries of a call', async () => {
  const now = Date.now
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  const server = await startFaultyServer((reply, request) => {
    clock.mockImplementation(() => now() + 3_600_000)
    problem(503, 'data.unavailable')(reply, request)
  }, limits)
  expect(await clientOf(server.url).limits.read()).toEqual({ tier: 'free' })
})

test('a key that a header cannot contain fails at once, and no error contains it', async () => {
  const server = await startFaultyServer(limits)
  const wrong = ['tl_live_sec\nret', 'tl_live_sec ret', 'tl_live_sec\u2026ret']
  for (const apiKey of wrong) {
    const errors: unknown[] = [
      await clientOf(server.url, { apiKey: () => apiKey })
        .limits.read()
        .catch((error: unknown) => error),
    ]
    try {
      clientOf(server.url, { apiKey })
    } catch (error) {
      errors.push(error)
    }
    expect(errors).toEqual([expect.any(TypeError), expect.any(TypeError)])
    expect(inspect(errors)).not.toContain('live_sec')
  }
  expect(server.requests).toEqual([])
  await clientOf(server.url, { apiKey: 'tl_live_secret\n' }).limits.read()
  expect(server.requests[0]?.headers.authorization).toBe('Bearer tl_live_secret')
})

test.each([
  ['http://127.0.0.1:1', 'bad port'],
  ['http://name.invalid', 'E[A-Z_]+'],
])('the error of a failed connection to %s has its cause', async (baseUrl, cause) => {
  const reading = clientOf(baseUrl, { retriesMax: 0 }).limits.read()
  const message = new RegExp(`^client\\.network: No response from ${baseUrl} \\(${cause}\\)\\.$`)
  await expect(reading).rejects.toThrow(message)
})

test('a web page instead of an answer ends a call, and is reported by a stream, which tries again', async () => {
  const signIn = (reply: ServerResponse) => {
    reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>Sign in</html>')
  }
  const server = await startFaultyServer(signIn)
  await expect(clientOf(server.url).limits.read()).rejects.toMatchObject({ code: 'client.damaged', status: 200 })
  expect(server.requests).toHaveLength(1)
  const trades = (reply: ServerResponse) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.write('event: trades\ndata: {"data":[{"sequence":"1"}],"cursor":"c1"}\n\n')
  }
  const restored = await startFaultyServer(signIn, trades)
  const notices: object[] = []
  const stream = clientOf(restored.url).stream({ channel: 'trades' }, { onNotice: (notice) => notices.push(notice) })
  for await (const { sequence } of stream) if (sequence === '1') break
  expect(notices).toMatchObject([{ type: 'reconnecting', error: { code: 'client.damaged' } }])
})

test.each(['localhost:3001', 'api.example.com', 'ftp://api.example.com'])('the address %s is rejected', (baseUrl) => {
  expect(() => clientOf(baseUrl)).toThrow(`baseUrl must begin with http:// or https://: ${baseUrl}`)
})
