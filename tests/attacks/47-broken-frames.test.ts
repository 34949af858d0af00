import { createKeyFor, send, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { announced, frame, openRawStream, type RawStream, textFrame } from './raw-socket.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const MEGABYTE = 1024 * 1024
const SUBSCRIBE = { op: 'subscribe', id: 'a', channel: 'trades', venues: ['sim'], symbols: ['BTC-USDT'] }
const [CONTINUATION, TEXT, BINARY, RESERVED, PING] = [0, 1, 2, 3, 9]
const ENDED_WITHIN_MS = 100_000

let apiKey: string
beforeAll(async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, { streamConnections: 100 })
  apiKey = (await createKeyFor(gatewayUrl, jwtToken)).apiKey
})

const open = () => openRawStream(gatewayUrl, { 'x-api-key': apiKey })

async function expectEnd(stream: RawStream, codes: readonly number[]): Promise<void> {
  await waitUntil('it is ended', stream.isClosed, ENDED_WITHIN_MS)
  expect(codes).toContain(stream.closeCode())
}

/** Small fragments of one endless message. */
function pieces(count: number, bytes: number): Buffer {
  const continuations = Array.from({ length: count }, () =>
    frame({ opcode: CONTINUATION, payload: Buffer.alloc(bytes, 'x'), isFinal: false }),
  )
  return Buffer.concat([frame({ opcode: TEXT, payload: Buffer.alloc(bytes, 'x'), isFinal: false }), ...continuations])
}

const many = (count: number, one: Buffer): Buffer => Buffer.concat(Array.from({ length: count }, () => one))
const text = (payload: Buffer | string) => frame({ opcode: TEXT, payload: Buffer.from(payload) })

// Concurrent, because some take half a minute, the time that a client has to answer a close.
test.concurrent.each<[string, Buffer, number[]]>([
  ['a frame without a mask', frame({ opcode: TEXT, payload: Buffer.from('{}'), isMasked: false }), [1002]],
  ['an opcode that does not exist', frame({ opcode: RESERVED }), [1002]],
  ['a reserved bit', frame({ opcode: TEXT, reserved: 0x40, payload: Buffer.from('{}') }), [1002]],
  ['a ping in pieces', frame({ opcode: PING, isFinal: false }), [1002]],
  ['a ping of 126 bytes', frame({ opcode: PING, payload: Buffer.alloc(126) }), [1002]],
  ['a continuation of nothing', frame({ opcode: CONTINUATION, payload: Buffer.from('{}') }), [1002]],
  ['an announced length of 10 MB', announced(10 * MEGABYTE), [1009]],
  ['an announced length beyond 2^53', announced(Number.MAX_SAFE_INTEGER), [1009]],
  ['a message of 10 MB in pieces of 1 KB', pieces(10 * 1024, 1024), [1009]],
  ['a message in pieces of one byte', pieces(20_000, 1), [1008, 1009]],
  ['text that is not UTF-8', text(Buffer.from([0xc3, 0x28])), [1007]],
  ['text that is not JSON', text('{'), [4400]],
  ['JSON that is not a message', text('[]'), [4400]],
  ['a binary message', frame({ opcode: BINARY, payload: Buffer.from(JSON.stringify(SUBSCRIBE)) }), [4400]],
  ['a thousand messages at once', many(1_000, textFrame({ op: 'ping' })), [4429]],
  ['a thousand pings at once', many(1_000, frame({ opcode: PING })), [4429, 1011]],
])('%s ends the connection with a code', async (_what, bytes, codes) => {
  const stream = await open()
  expect(stream.status).toBe(101)
  stream.socket.write(bytes)
  await expectEnd(stream, codes)
})

test('a message that arrives byte by byte is accepted', async () => {
  const stream = await open()
  for (const byte of textFrame(SUBSCRIBE)) stream.socket.write(Buffer.from([byte]))
  const isSubscribed = () => stream.texts().some((one) => one.includes('"subscribed"'))
  await waitUntil('it is subscribed', isSubscribed, ENDED_WITHIN_MS)
  stream.socket.destroy()
})

test('connections that ended in any of these ways are no longer counted', async () => {
  const unused = async () => {
    const { body } = await send<{ data: { stream: { connections: { used: number } } } }>(
      `${gatewayUrl}/api/v1/limits`,
      { token: apiKey },
    )
    return body.data.stream.connections.used === 0
  }
  await waitUntil('all are free again', unused, ENDED_WITHIN_MS)
})
