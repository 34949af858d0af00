import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, expect, test } from 'vitest'
import { createServer } from './create-server.ts'

const LONG = { text: 'tape '.repeat(2_000) }
const open = { config: { access: 'open' as const } }
const app = await createServer({
  name: 'config',
  logger: silentLogger,
  internalKeys: testInternalKeys,
  checks: {},
  now: () => new Date(),
})
app.get('/long', open, async () => LONG)
const VERY_LONG = { text: 'tape '.repeat(200_000) }
app.get('/very-long', open, async () => VERY_LONG)
app.get('/short', open, async () => ({ text: 'tape' }))
app.get('/stream', open, async (_request, reply) =>
  reply.type('application/json').send(Readable.from([JSON.stringify(LONG)])),
)
app.get('/packed', open, async (_request, reply) =>
  reply.type('application/json').header('content-encoding', 'br').send(JSON.stringify(LONG)),
)
app.get('/text', open, async (_request, reply) => reply.type('text/csv').send(LONG.text))
afterAll(() => app.close())

const get = (url: string, accepted?: string) =>
  app.inject({ url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })

const UNPACK = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }

test.each([
  ['gzip', 'gzip'],
  ['*', 'gzip'],
  ['GZIP', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, br', 'br'],
  ['br;q=0.4, gzip;q=0.5, zstd;q=0', 'gzip'],
  ['zstd;q=0.1, identity', 'zstd'],
] as const)('a long response is compressed once: a client that accepts "%s" gets %s', async (accepted, encoding) => {
  const { headers, rawPayload } = await get('/long', accepted)
  expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding'])
  expect(Number(headers['content-length'])).toBe(rawPayload.length)
  expect(JSON.parse(UNPACK[encoding](rawPayload).toString())).toEqual(LONG)
})

test.each(['gzip', 'br', 'zstd'] as const)('a response of a megabyte is compressed with %s', async (encoding) => {
  const { headers, rawPayload } = await get('/very-long', encoding)
  expect(headers['content-encoding']).toBe(encoding)
  expect(JSON.parse(UNPACK[encoding](rawPayload).toString())).toEqual(VERY_LONG)
})

test.each([undefined, '', 'identity', 'gzip;q=0', '*, gzip;q=0.0', 'deflate', 'br;q=0'])(
  'a client never gets an encoding it does not accept: "%s"',
  async (accepted) => {
    const answer = await get('/long', accepted)
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers.vary).toBe('accept-encoding')
    expect(answer.json()).toEqual(LONG)
  },
)

test.each(['/short', '/stream', '/text'])('%s is sent uncompressed', async (url) => {
  expect((await get(url, 'gzip')).headers['content-encoding']).toBeUndefined()
})

test('a compressed response is not compressed again', async () => {
  expect((await get('/packed', 'gzip, br')).headers['content-encoding']).toBe('br')
})
