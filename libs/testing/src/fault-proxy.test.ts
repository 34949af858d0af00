import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { waitUntil } from './wait-until.ts'

const SLOW_MS = 500

let wire: FaultProxy
const received: string[] = []
const accepted = new Set<Socket>()
const echo = createServer((socket) => {
  accepted.add(socket)
  socket
    .on('data', (chunk) => {
      received.push(String(chunk))
      socket.write(chunk)
    })
    .on('error', () => {})
})

beforeAll(async () => {
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const address = echo.address()
  wire = await startFaultProxy(`tcp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
})
afterAll(async () => {
  await wire.stop()
  echo.close()
})

/** After `refuse` the proxy listens again only once its earlier connections have closed. */
async function open(): Promise<{ socket: Socket; got: () => string }> {
  const socket = await waitUntil('the proxy accepts connections', async () => {
    const next = connect(wire.port, '127.0.0.1')
    await once(next, 'connect')
    return next
  })
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  return { socket, got: () => text }
}

test('data held back by a fault arrives in order after the fault ends', async () => {
  const { socket, got } = await open()
  for (const [n, fault] of (['hang', 'late'] as const).entries()) {
    wire.setFault(fault)
    socket.write(`${n}a`)
    await waitUntil('it was sent', () => wire.occurrences(`${n}a`) === 1)
    if (fault !== 'hang') await waitUntil('the server got it', () => received.join('').includes(`${n}a`))
    expect(got(), fault).not.toContain(`${n}a`)
    expect(received.join('').includes(`${n}a`)).toBe(fault !== 'hang')
    wire.setFault('pass')
    socket.write(`${n}b`)
    await waitUntil('all data is back', () => got().endsWith(`${n}a${n}b`))
  }
  socket.destroy()
})

test('responses are delayed by the given time and keep their order', async () => {
  const { socket, got } = await open()
  wire.setFault('slow', SLOW_MS)
  const sentMs = performance.now()
  socket.write('2a')
  await waitUntil('the server got it', () => received.join('').includes('2a'))
  socket.write('2b')
  await waitUntil('the first is back', () => got().includes('2a'))
  // A timer may fire a millisecond early.
  expect(performance.now() - sentMs).toBeGreaterThan(SLOW_MS - 10)
  await waitUntil('all data is back', () => got() === '2a2b')
  wire.setFault('pass')
  socket.destroy()
})

test('responses keep their order when the fault changes while one is delayed', async () => {
  const { socket, got } = await open()
  for (const [n, next] of (['pass', 'hang', 'late'] as const).entries()) {
    wire.setFault('slow', 300)
    socket.write(`${n}c`)
    await waitUntil('the server got it', () => received.join('').includes(`${n}c`))
    wire.setFault(next)
    socket.write(`${n}d`)
    await waitUntil('it was sent', () => wire.occurrences(`${n}d`) === 1)
    wire.setFault('pass')
    await waitUntil('all data is back', () => got().endsWith(`${n}c${n}d`))
  }
  socket.destroy()
})

test('the connection that sends a word stays silent, and others keep working', async () => {
  wire.setFault('pass')
  const [silent, other] = [await open(), await open()]
  const isSilent = wire.silenceNext('commit')
  other.socket.write('begin;')
  await waitUntil('the other is answered', () => other.got() === 'begin;')
  silent.socket.write('commit;')
  await isSilent
  other.socket.write('commit;')
  await waitUntil('the other is answered again', () => other.got() === 'begin;commit;')
  silent.socket.write('more;')
  for (const served of accepted) served.destroy()
  await waitUntil('the other has ended', () => other.socket.destroyed)
  expect([silent.got(), silent.socket.destroyed, received.join('').includes('more;')]).toEqual(['', false, false])
  silent.socket.destroy()
})

test.each([
  ['refuse', 'close'],
  ['reset', 'error'],
] as const)('%s ends open connections and accepts no new ones', async (fault, event) => {
  wire.setFault('pass')
  const { socket } = await open()
  const ended = once(socket, event)
  wire.setFault(fault)
  await ended
  const late = connect(wire.port, '127.0.0.1').on('error', () => {})
  await new Promise((resolve) => late.once('close', resolve))
  expect(late.bytesRead).toBe(0)
  wire.setFault('pass')
})
