import { expect, test } from 'vitest'
import { HEARTBEAT_MS, OpenStream, SLOW_READER_MS } from './open-stream.ts'

const FROM = { account: 7n, platform: 3n }
const long = 'x'.repeat(10_000)

/** Everything written so far. */
async function take({ output }: OpenStream): Promise<string> {
  let text = ''
  for (let turn = 0; turn < 100; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    text += String(output.read() ?? '')
  }
  return text
}

function openAt(clock: { nowMs: number }): OpenStream {
  const stream = new OpenStream(FROM, () => clock.nowMs)
  stream.begin([])
  return stream
}

test('events that arrive while a stream catches up follow the missed ones', async () => {
  const stream = new OpenStream(FROM, () => 9)
  stream.send({ name: 'change', data: { n: 2 }, position: { account: 8n } })
  stream.begin([{ name: 'change', data: { n: 1 }, position: { account: 7n } }], { account: 6n, platform: 3n, atMs: 5 })
  expect(await take(stream)).toBe(
    'retry: 2000\nevent: open\ndata: {}\n\n' +
      'id: 7.3.5\nevent: change\ndata: {"n":1}\n\nid: 8.3.9\nevent: change\ndata: {"n":2}\n\n',
  )
})

test('no id of a stream that catches up covers an event that is sent after it', async () => {
  const stream = new OpenStream({ account: 100n, platform: 55n }, () => 9)
  const missed = [{ account: 51n }, { platform: 41n }, { account: 100n }, { platform: 55n }]
  stream.begin(
    missed.map((position) => ({ name: 'change' as const, data: {}, position })),
    { account: 50n, platform: 40n, atMs: 5 },
  )
  const ids = (await take(stream)).split('\n\n').map((frame) => /^id: (.+)$/m.exec(frame)?.[1])
  expect(ids).toEqual([undefined, '51.40.5', '51.41.5', '100.41.5', '100.55.5', undefined])
})

test('the start of a stream has an id only if nothing was missed', async () => {
  const [complete, reset] = [new OpenStream(FROM, () => 9), new OpenStream(FROM, () => 9)]
  complete.begin([])
  reset.begin([{ name: 'reset', data: {} }])
  expect(await take(complete)).toBe('retry: 2000\nid: 7.3.9\nevent: open\ndata: {}\n\n')
  expect(await take(reset)).toBe('retry: 2000\nevent: open\ndata: {}\n\nid: 7.3.9\nevent: reset\ndata: {}\n\n')
})

test('an idle stream gets a heartbeat with an up-to-date id', async () => {
  const clock = { nowMs: 0 }
  const stream = openAt(clock)
  await take(stream)
  stream.keepAlive()
  expect(await take(stream)).toBe('')
  clock.nowMs = HEARTBEAT_MS
  stream.keepAlive()
  expect(await take(stream)).toBe(`: heartbeat\nid: 7.3.${HEARTBEAT_MS}\n\n`)
})

test('a client that reads nothing is disconnected after a while, a slow one is not', async () => {
  const clock = { nowMs: 0 }
  const [stuck, slow] = [openAt(clock), openAt(clock)]
  for (const stream of [stuck, slow]) for (let n = 0; n < 20; n += 1) stream.send({ name: 'usage', data: long })
  clock.nowMs = SLOW_READER_MS - 1
  for (const stream of [stuck, slow]) stream.keepAlive()
  expect([stuck, slow].map(({ output }) => output.destroyed)).toEqual([false, false])
  await take(slow)
  clock.nowMs = SLOW_READER_MS
  for (const stream of [stuck, slow]) stream.keepAlive()
  expect([stuck, slow].map(({ output }) => output.destroyed)).toEqual([true, false])
})

test('a client with too large a backlog is disconnected immediately', () => {
  const stream = openAt({ nowMs: 0 })
  for (let n = 0; n < 20; n += 1) stream.send({ name: 'usage', data: long })
  stream.keepAlive()
  expect(stream.output.destroyed).toBe(false)
  for (let n = 0; n < 40; n += 1) stream.send({ name: 'usage', data: long })
  stream.keepAlive()
  expect(stream.output.destroyed).toBe(true)
})
