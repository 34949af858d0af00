import { createServer, type AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { startReceiver } from '../../../test/webhooks.fixture.ts'
import { createWebhookPoster, type PosterOptions } from './webhook-poster.ts'

const receiver = await startReceiver()
afterAll(() => receiver.close())

const LENIENT = { allowsLoopback: true }
const STRICT = { allowsLoopback: false }
async function post(url: string, options: Partial<PosterOptions> = {}) {
  const poster = createWebhookPoster({ rules: LENIENT, ...options })
  try {
    return await poster.post({ url, headers: { 'content-type': 'application/json' }, body: '{"text":"é"}' })
  } finally {
    poster.close()
  }
}

test('the body arrives whole and the answer is stored with a few headers', async () => {
  receiver.answer('/ok', { status: 202, headers: { server: 'x', 'set-cookie': 'a=b' }, body: 'thanks\0' })
  const result = await post(receiver.url('/ok'))
  expect(result).toMatchObject({
    answer: { status: 202, headers: { server: 'x' }, body: 'thanks\u{fffd}', is_truncated: false },
  })
  expect(JSON.stringify(result)).not.toContain('a=b')
  expect(receiver.receivedAt('/ok')).toMatchObject([{ body: '{"text":"é"}' }])
})

test('a redirect is an answer, not a new address', async () => {
  receiver.answer('/moved', { status: 307, headers: { location: receiver.url('/target') } })
  expect(await post(receiver.url('/moved'))).toMatchObject({ answer: { status: 307 } })
  expect(receiver.receivedAt('/target')).toEqual([])
})

test('of a long answer 64 KB are read and 4 KB stored', async () => {
  receiver.answer('/long', { status: 200, body: 'x'.repeat(5_000_000) })
  const result = await post(receiver.url('/long'))
  if (!('answer' in result)) throw new Error(result.error)
  expect(result.answer).toMatchObject({ status: 200, is_truncated: true })
  expect(result.answer.body).toHaveLength(4_096)
})

test('an endpoint that does not answer in time is a timeout', async () => {
  receiver.answer('/never', 'never')
  expect(await post(receiver.url('/never'), { timeoutMs: 300 })).toEqual({ error: 'timeout' })
})

test('an answer whose body never ends is a timeout as well', async () => {
  const slow = createServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx')
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const { port } = slow.address() as AddressInfo
  expect(await post(`http://127.0.0.1:${port}/`, { timeoutMs: 300 })).toEqual({ error: 'timeout' })
  slow.close()
})

test('a refused connection is reported by its code', async () => {
  expect(await post('http://127.0.0.1:1/')).toEqual({ error: 'econnrefused' })
})

test.each([
  'http://127.0.0.1:3011/',
  'https://127.0.0.1/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://2130706433/',
  'https://localhost/',
  'https://metadata.google.internal/',
])('%s is not called', async (url) => {
  expect(await post(url, { rules: STRICT })).toEqual({ error: 'private_address' })
})

test('a name that resolves to a private address when it is called is not called, regardless of its earlier address', async () => {
  let connections = 0
  const inside = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  const { port } = inside.address() as AddressInfo
  const answers = [['10.1.2.3'], ['127.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254'], ['fd00::1', '192.168.0.1']]
  for (const addresses of answers) {
    const result = await post(`https://rebinding.example:${port}/`, {
      rules: STRICT,
      resolve: (_name, _options, callback) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
    })
    expect(result).toEqual({ error: 'private_address' })
  }
  expect(connections).toBe(0)
  inside.close()
})
