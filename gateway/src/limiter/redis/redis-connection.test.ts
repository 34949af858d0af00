import { connect, createServer } from 'node:net'
import { startFaultProxy } from '@tapeline/testing/fault-proxy'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { scripts } from '../scripts/scripts.ts'
import { type Command, type Result, storeReady } from './limiter-store.ts'
import { RedisConnection } from './redis-connection.ts'
import { RedisError } from './resp.ts'

const { redisUrl } = testServers()
const key = `wire-test:${crypto.randomUUID()}`
const user = `wire-${crypto.randomUUID()}`
const wires: RedisConnection[] = []
let redis: Redis

beforeAll(() => {
  redis = new Redis(redisUrl)
})
afterEach(() => {
  for (const wire of wires.splice(0)) wire.disconnect()
})
afterAll(async () => {
  await redis.del(key)
  await redis.call('ACL', 'DELUSER', user)
  redis.disconnect()
})

async function wireTo(url: string): Promise<RedisConnection> {
  const wire = new RedisConnection({ url, logger: silentLogger })
  wires.push(wire)
  expect(await storeReady(wire, 60_000)).toBe(true)
  return wire
}
const send = async (wire: RedisConnection, commands: Command[]): Promise<Result[]> =>
  new Promise((resolve) => wire.send(commands, resolve))
const errorsOf = (results: Result[]) => results.map(([error]) => error?.message)

test('commands sent together are answered together, in order, including a rejected one', async () => {
  const wire = await wireTo(redisUrl)
  const results = await send(wire, [
    ['RPUSH', key, 'a', 'ü'],
    ['GET', key],
    ['LRANGE', key, '0', '-1'],
  ])
  expect(results[0]).toEqual([null, 2])
  expect(results[1]?.[0]).toBeInstanceOf(RedisError)
  expect(results[2]).toEqual([null, ['a', 'ü']])
})

test('a callback that throws does not lose the other replies that arrived with its own', async () => {
  const wire = await wireTo(redisUrl)
  const answered: unknown[] = []
  wire.send([['ECHO', 'first']], () => {
    throw new Error('an error in the calling code')
  })
  wire.send([['ECHO', 'second']], (results) => answered.push(results))
  expect(await send(wire, [['ECHO', 'third']])).toEqual([[null, 'third']])
  expect(answered).toEqual([[[null, 'second']]])
})

test('a reply longer than one read is whole', async () => {
  const wire = await wireTo(redisUrl)
  const long = 'x'.repeat(300_000)
  const results = await send(wire, [['ECHO', long], ['PING']])
  expect(results).toEqual([
    [null, long],
    [null, 'PONG'],
  ])
})

test('an unknown script is reported by its error code', async () => {
  const wire = await wireTo(redisUrl)
  const unknown = { source: 'return 1', sha: '0'.repeat(40) }
  await expect(wire.evaluate(unknown, [], [])).rejects.toThrow(/^NOSCRIPT/)
  await wire.loadScripts([scripts.renew])
  expect(await wire.evaluate(scripts.renew, [`${key}:leases`], [1, 'lease'])).toBe(1)
  expect(await wire.runIds()).toMatch(/^[0-9a-f]{40}$/)
})

test('user, password and database of the URL are used; with a wrong password the connection is never ready', async () => {
  await redis.call('ACL', 'SETUSER', user, 'on', '>pa:ss/wörd', '~*', '+@all')
  const url = new URL(redisUrl)
  url.username = user
  url.password = encodeURIComponent('pa:ss/wörd')
  url.pathname = '/3'
  const wire = await wireTo(url.href)
  const [whoami, info] = await send(wire, [
    ['ACL', 'WHOAMI'],
    ['CLIENT', 'INFO'],
  ])
  expect(whoami).toEqual([null, user])
  expect(info?.[1]).toContain(' db=3 ')
  url.password = 'wrong'
  const refused = new RedisConnection({ url: url.href, logger: silentLogger })
  wires.push(refused)
  expect(await storeReady(refused, 300)).toBe(false)
})

test('commands without a reply fail when the connection is lost, and it reconnects', async () => {
  const between = await startFaultProxy(redisUrl)
  try {
    const wire = await wireTo(`redis://127.0.0.1:${between.port}`)
    let closed = 0
    let ready = 0
    wire.onClose(() => (closed += 1))
    wire.onReady(() => (ready += 1))
    between.setFault('hang')
    const lost = send(wire, [['PING'], ['PING']])
    between.setFault('refuse')
    expect(errorsOf(await lost)).toEqual(Array(2).fill('the connection to Redis was lost'))
    expect(errorsOf(await send(wire, [['PING']]))).toEqual(['Redis is unavailable'])
    await expect(wire.ping()).rejects.toThrow('Redis is unavailable')
    between.setFault('pass')
    await waitUntil('the connection is restored', () => ready === 2)
    expect(closed).toBe(1)
    expect(await send(wire, [['PING']])).toEqual([[null, 'PONG']])
  } finally {
    await between.stop()
  }
})

test('a server that accepts connections but does not answer is replaced by the next connection', async () => {
  const { port, hostname } = new URL(redisUrl)
  let accepted = 0
  const server = createServer((client) => {
    client.on('error', () => undefined)
    accepted += 1
    if (accepted === 1) return
    const real = connect(Number(port), hostname)
    real.on('error', () => client.destroy())
    client.pipe(real).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await wireTo(`redis://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
  // On a busy machine a connection that works may also be too late.
  expect(accepted).toBeGreaterThanOrEqual(2)
  server.close()
})

test('a URL without a scheme is rejected at once', () => {
  expect(() => new RedisConnection({ url: 'localhost:6379', logger: silentLogger })).toThrow(
    'REDIS_URL must begin with redis://, rediss://',
  )
})

test('a server with another protocol is disconnected', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const wire = new RedisConnection({ url: `redis://127.0.0.1:${port}`, logger: silentLogger })
  wires.push(wire)
  expect(await storeReady(wire, 300)).toBe(false)
  server.close()
})
