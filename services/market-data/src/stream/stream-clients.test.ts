import { someUser } from '@tapeline/testing/actors'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { headersOf, openStream } from '../../test/stream/stream-client.fixture.ts'
import { openStreamPlatform, someTrades, type StreamPlatform } from '../../test/stream/stream.fixture.ts'

const START_NS = BigInt(Date.now() - 3_600_000) * 1_000_000n
const actor = someUser({ tier: 'pro' })
let platform: StreamPlatform
let process: Awaited<ReturnType<StreamPlatform['startProcess']>>

beforeAll(async () => {
  platform = await openStreamPlatform()
  process = await platform.startProcess()
})
afterAll(() => platform.stop())

const BTC = { op: 'subscribe' as const, channel: 'trades' as const, venues: ['sim'], symbols: ['BTC-USDT'] }

test('ping, unsubscribe and invalid subscriptions are answered, and the connection stays open', async () => {
  const client = await openStream(process.port, actor)
  client.send({ op: 'ping', id: 'p' })
  expect(await client.next('pong')).toMatchObject({ id: 'p' })
  client.send({ ...BTC, id: 'a', symbols: ['NOPE'] })
  expect(await client.next('error')).toMatchObject({ id: 'a', problem: { code: 'symbol.unknown', status: 404 } })
  client.send({ ...BTC, id: 'b' })
  await client.next('subscribed')
  client.send({ ...BTC, id: 'b' })
  client.send({ op: 'unsubscribe', id: 'c' })
  const codes = await waitUntil('three errors', async () => {
    const found = client.received.flatMap((one) => (one.type === 'error' ? [one.problem.code] : []))
    return found.length === 3 ? found : undefined
  })
  expect(codes.slice(1)).toEqual(['stream.subscription_exists', 'stream.subscription_unknown'])
  client.send({ op: 'unsubscribe', id: 'b' })
  expect(await client.next('unsubscribed')).toMatchObject({ id: 'b', cursor: expect.any(String) })
  await platform.ingest(someTrades('BTC-USDT', START_NS, 0, 10))
  client.send({ op: 'ping', id: 'q' })
  await waitUntil('a pong', async () => client.received.find((one) => one.type === 'pong' && one.id === 'q'))
  expect(client.records('b')).toEqual([])
  expect(client.closed()).toBeUndefined()
  client.close()
})

test('a subscription that is cancelled while it starts ends, and its id can be used again', async () => {
  const client = await openStream(process.port, actor)
  const place = { ...BTC, id: 'a', symbols: ['SOL-USDT'], start: String(START_NS) }
  client.send(place)
  client.send({ op: 'unsubscribe', id: 'a' })
  expect(await client.next('unsubscribed')).toMatchObject({ id: 'a', cursor: expect.any(String) })
  expect(client.received.filter(({ type }) => type === 'error')).toEqual([])
  client.send(place)
  await client.next('subscribed')
  client.close()
})

/** The close code can be lost while the client is still sending. */
const FLOODED = [4429, 1006]

test.each([
  ['no JSON', (socket: WebSocket) => socket.send('{'), 4400],
  ['another message', (socket: WebSocket) => socket.send('{"op":"publish"}'), 4400],
  ['a binary frame', (socket: WebSocket) => socket.send(Buffer.from('{"op":"ping"}')), 4400],
  ['a frame of 10 MB', (socket: WebSocket) => socket.send('x'.repeat(10_000_000)), 1009],
  ['a flood of pings', (socket: WebSocket) => times(500, () => socket.ping()), FLOODED],
  ['a flood of messages', (socket: WebSocket) => times(500, () => socket.send('{"op":"ping"}')), FLOODED],
])('%s ends the connection with a reason', async (_name, act, code) => {
  const client = await openStream(process.port, actor)
  act(client.socket)
  const closed = await waitUntil('the end', async () => client.closed())
  expect([code].flat()).toContain(closed.code)
})

function times(count: number, act: () => void): void {
  for (let index = 0; index < count; index += 1) act()
}

test('a client without access is answered with a problem, and one that lacks the scope too', async () => {
  const url = `ws://127.0.0.1:${process.port}/api/v1/stream`
  const status = (socket: WebSocket) =>
    new Promise<number | undefined>((resolve) => {
      socket.on('unexpected-response', (_request, response) => {
        resolve(response.statusCode)
        response.resume()
      })
      socket.on('open', () => resolve(101))
      socket.on('error', () => undefined)
    })
  expect(await status(new WebSocket(url))).toBe(401)
  const keyed = someUser({ tier: 'pro', keyId: 'k', scopes: ['trades:read'] })
  const without = someUser({ tier: 'pro', features: ['apiAccess', 'historicalData'] })
  for (const refused of [keyed, without]) {
    expect(await status(new WebSocket(url, ['tapeline.v1'], { headers: headersOf(refused) }))).toBe(403)
  }
})
