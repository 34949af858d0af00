import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { rawRequest, sendRaw } from './raw-request.ts'

const { gatewayUrl } = runningPlatform()
const HEADER_BYTES_MAX = 16_384
/** Ten seconds for the headers, plus a margin for a busy machine. */
const SLOW_WITHIN_MS = 40_000

test('a request with endless headers is ended after ten seconds', async () => {
  const head = 'GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\n'
  const begun = ['', 'GE', head, `${head}x-slow: `].map(async (bytes) =>
    sendRaw(gatewayUrl, bytes, { withinMs: SLOW_WITHIN_MS }),
  )
  const startMs = performance.now()
  const [, ...answers] = await Promise.allSettled(begun)
  expect(performance.now() - startMs).toBeLessThan(SLOW_WITHIN_MS)
  for (const answer of answers) {
    if (answer.status === 'rejected') throw answer.reason
    expect(answer.value.statuses).toEqual([408])
    expect(answer.value.text).toContain('"code":"request.timed_out"')
  }
})

test.each([
  ['one long header', `x-long: ${'x'.repeat(HEADER_BYTES_MAX)}`],
  ['many short headers', Array.from({ length: 4_000 }, (_, n) => `x${n}: y`).join('\r\n')],
  ['a long name', `${'x'.repeat(HEADER_BYTES_MAX)}: y`],
  ['a long credential', `authorization: Bearer ${'x'.repeat(HEADER_BYTES_MAX)}`],
])('headers over the limit are rejected: %s', async (_what, header) => {
  const bytes = rawRequest({ method: 'GET', target: '/api/v1/health', headers: [header] })
  const { statuses, text } = await sendRaw(gatewayUrl, bytes)
  expect(statuses).toEqual([431])
  expect(text).toContain('"code":"request.too_large"')
})

test('a URL over the limit is rejected', async () => {
  const target = `/api/v1/health?${'x'.repeat(HEADER_BYTES_MAX)}`
  const { statuses } = await sendRaw(gatewayUrl, rawRequest({ method: 'GET', target }))
  expect(statuses).toHaveLength(1)
  expect([414, 431]).toContain(statuses[0])
})

test('headers below the limit are accepted', async () => {
  const headers = [`x-long: ${'x'.repeat(HEADER_BYTES_MAX - 1_000)}`]
  expect(
    (await sendRaw(gatewayUrl, rawRequest({ method: 'GET', target: '/api/v1/health', headers }))).statuses,
  ).toEqual([200])
})
