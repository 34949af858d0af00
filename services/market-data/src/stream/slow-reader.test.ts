import { connect } from 'node:net'
import { someUser } from '@tapeline/testing/actors'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someL2Event } from '../../test/records.fixture.ts'
import { headersOf } from '../../test/stream/stream-client.fixture.ts'
import { openStreamPlatform, type StreamPlatform } from '../../test/stream/stream.fixture.ts'
import { storeAtOnce } from '../store/store-records.ts'

const START_NS = BigInt(Date.now() - 3_600_000) * 1_000_000n
const actor = someUser({ tier: 'pro' })
/** More than the kernel buffers for a socket. */
const BOOKS = 600
const LEVELS = 1_500
let platform: StreamPlatform
let process: Awaited<ReturnType<StreamPlatform['startProcess']>>

beforeAll(async () => {
  platform = await openStreamPlatform()
  process = await platform.startProcess()
})
afterAll(() => platform.stop())

/** A WebSocket that subscribes to books of BTC-USDT and then does not read. */
async function openStalledClient() {
  const socket = connect(process.port, '127.0.0.1')
  const headers = Object.entries(headersOf(actor)).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(
    `GET /api/v1/stream HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n${headers.join('')}` +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: tapeline.v1\r\n\r\n',
  )
  await new Promise((resolve) => socket.once('data', resolve))
  const fields = { op: 'subscribe', id: 'stalled', channel: 'l2events', venues: ['sim'], symbols: ['BTC-USDT'] }
  const text = Buffer.from(JSON.stringify(fields))
  socket.write(Buffer.concat([Buffer.of(0x81, 0x80 | 126, text.length >> 8, text.length & 255, 0, 0, 0, 0), text]))
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  return socket
}

test('a client that does not read ends with slow_consumer and the cursor of its last batch', async () => {
  const stalled = await openStalledClient()
  const bids = Array.from({ length: LEVELS }, (_value, index): [string, string] => [String(60_000 - index), '1.25'])
  const l2Events = Array.from({ length: BOOKS }, (_value, index) =>
    someL2Event(`b${index}`, START_NS + BigInt(index), { type: 'snapshot', bids, asks: [] }),
  )
  await storeAtOnce(platform.pool, [{ instrumentId: 1, trades: [], l2Events }])
  // The store is compared every second, so the stream ends although the client reads nothing.
  await waitUntil('the stream has ended', async () =>
    /^market_data_stream_slow_consumers_total 1$/m.test(await process.metrics()),
  )
  let text = ''
  stalled.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')))
  stalled.resume()
  await waitUntil('the client has read the reason', () => text.includes('slow consumer'))
  stalled.destroy()
  const cursors = [...text.matchAll(/"cursor":"([\w-]+)"/g)].map(([, cursor]) => cursor)
  expect(cursors.length).toBeLessThan(BOOKS)
  expect(text).toContain(`{"type":"slow_consumer","cursors":{"stalled":"${cursors.at(-1)}"}}`)
}, 120_000)
