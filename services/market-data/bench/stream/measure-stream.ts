import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { STREAM_SUBPROTOCOL } from '@tapeline/contracts/market-data/stream'
import { ACTOR_HEADER, signActorToken } from '@tapeline/service/actor-token'
import { someUser } from '@tapeline/testing/actors'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { RedisServer } from '@tapeline/testing/redis/redis-server'
import { type LiveRows, openLiveRows } from './live-rows.ts'
import { type Clients, startClients, startServer } from './processes.ts'

// npm run bench:stream: CPU per record and per message of the role `stream`, beside a plain `ws` server and Redis pub/sub with
// the same bytes; delay under a steady load; memory of idle connections. The gateway is measured by
// gateway/bench/streams.

const { values } = parseArgs({
  options: {
    subscribers: { type: 'string', default: '5000' },
    idle: { type: 'string', default: '10000' },
    batches: { type: 'string', default: '150' },
    out: { type: 'string', default: 'docs/benchmarks/stream.json' },
  },
})
const FAN_OUT = { clients: 400, recordsPerBatch: 100, batchesAhead: 8 }
const STEADY = { instruments: 50, recordsPerMessage: 2, messagesPerSecond: 10, seconds: 10 }
const OPEN_AT_ONCE = 1_000
const KB = 1_024
const MS = 1_000
const subscribers = Number(values.subscribers)
const idle = Number(values.idle)
const batches = Number(values.batches)
const actor = someUser({ tier: 'pro' })
const clients = startClients()
try {
  const result = {
    at: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version, loadAverage: loadavg() },
    fanOut: await withRows(1, measureFanOut),
    steady: await withRows(STEADY.instruments, (rows) => measureSteady(rows, subscribers)),
    halfLoad: await withRows(STEADY.instruments, (rows) => measureSteady(rows, Math.round(subscribers / 2))),
    idle: await withRows(STEADY.instruments, measureIdle),
    loadAverageAfter: loadavg(),
  }
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
} finally {
  await clients.stop()
}

/** Each part has its own instruments, because its announced rows are not stored; its result is printed at once. */
async function withRows<T>(instruments: number, measure: (rows: LiveRows) => Promise<T>): Promise<T> {
  const rows = await openLiveRows(instruments)
  try {
    const measured = await measure(rows)
    process.stderr.write(`${JSON.stringify(measured)}\n`)
    return measured
  } finally {
    await rows.close()
  }
}

type Server = Awaited<ReturnType<typeof startServer>>

/** Opens clients of the service; each subscribes to one instrument. */
async function subscribe({ port }: Server, count: number, symbols: readonly string[]): Promise<void> {
  const texts = symbols.map((symbol) =>
    JSON.stringify({ op: 'subscribe', id: 'a', channel: 'trades', venues: ['sim'], symbols: [symbol] }),
  )
  for (let from = 0; from < count; from += OPEN_AT_ONCE) {
    const input = { caller: 'gateway', audience: 'market-data', actor, nowMs: Date.now() }
    const token = signActorToken(testInternalKeys, input)
    const headers = `sec-websocket-protocol: ${STREAM_SUBPROTOCOL}\r\n${ACTOR_HEADER}: ${token}\r\n`
    await clients.open({ count: Math.min(OPEN_AT_ONCE, count - from), port, headers, texts, kind: 'websocket' })
  }
}

/** Large batches to many clients: ours, then the same number of bytes from a plain `ws` server and from Redis. */
async function measureFanOut(rows: LiveRows) {
  const server = await startServer('stream', rows.environment)
  await subscribe(server, FAN_OUT.clients, rows.symbols)
  await sendBatches(rows, clients, 10)
  const before = [await server.figures(), await clients.report()] as const
  await sendBatches(rows, clients, batches)
  const after = [await server.figures(), await clients.report()] as const
  await clients.close()
  await server.stop()
  const frames = after[1].frames - before[1].frames
  const frameBytes = Math.round((after[1].bytes - before[1].bytes) / frames)
  const cpuMs = after[0].cpuMs - before[0].cpuMs
  const records = FAN_OUT.clients * batches * FAN_OUT.recordsPerBatch
  const text = 'x'.repeat(frameBytes)
  const others = {
    wsToAll: await measurePlain(text, false),
    wsEcho: await measurePlain(text, true),
    redisPubSub: await measureRedis(text),
  }
  const microsPerMessage = (cpuMs * MS) / frames
  return {
    ...FAN_OUT,
    batches,
    frames,
    frameBytes,
    records,
    missing: after[1].missing,
    cpuMs: Math.round(cpuMs),
    recordsPerCpuSecond: Math.round(records / (cpuMs / MS)),
    microsPerMessage: round(microsPerMessage),
    others,
    timesOfOthers: Object.fromEntries(
      Object.entries(others).map(([name, micros]) => [name, round(microsPerMessage / micros)]),
    ),
  }
}

async function sendBatches(live: LiveRows, to: Clients, count: number): Promise<void> {
  const { frames } = await to.report()
  for (let sent = 1; sent <= count; sent += 1) {
    await live.announce([0], FAN_OUT.recordsPerBatch)
    // Fewer than the limit of unsent messages of a slow client.
    if (sent > FAN_OUT.batchesAhead) await to.untilFrames(frames + (sent - FAN_OUT.batchesAhead) * FAN_OUT.clients)
  }
  await to.untilFrames(frames + count * FAN_OUT.clients)
}

/** CPU in µs per message of plain `ws`. */
async function measurePlain(text: string, isEcho: boolean): Promise<number> {
  const server = await startServer('plain', {})
  await clients.open({ count: FAN_OUT.clients, port: server.port, headers: '', texts: [''], kind: 'websocket' })
  const rounds = Math.round(batches / 3)
  const send = async (count: number): Promise<void> => {
    const { frames } = await clients.report()
    for (let sent = 1; sent <= count; sent += 1) {
      if (isEcho) await clients.send(text)
      else server.sendToAll(text)
      await clients.untilFrames(frames + sent * FAN_OUT.clients)
    }
  }
  await send(5)
  const before = await server.figures()
  await send(rounds)
  const after = await server.figures()
  await clients.close()
  await server.stop()
  return round(((after.cpuMs - before.cpuMs) * MS) / (rounds * FAN_OUT.clients))
}

/** CPU in µs per message of Redis to its subscribers. */
async function measureRedis(text: string): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-stream-bench-'))
  const redis = await RedisServer.start(dir)
  const cpuMs = async () => {
    const info = await redis.redis.info('cpu')
    const [user = 0, system = 0] = ['used_cpu_user', 'used_cpu_sys'].map((name) =>
      Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]),
    )
    return (user + system) * MS
  }
  await clients.open({
    count: FAN_OUT.clients,
    port: redis.port,
    headers: '',
    texts: ['SUBSCRIBE bench\r\n'],
    kind: 'redis',
  })
  const rounds = Math.round(batches / 3)
  const { bytes } = await clients.report()
  const before = await cpuMs()
  for (let sent = 1; sent <= rounds; sent += 1) {
    await redis.redis.publish('bench', text)
    while ((await clients.report()).bytes - bytes < sent * FAN_OUT.clients * text.length) await delay(1)
  }
  const used = (await cpuMs()) - before
  await clients.close()
  await redis.kill()
  rmSync(dir, { recursive: true, force: true })
  return round((used * MS) / (rounds * FAN_OUT.clients))
}

/** Every client receives 20 records a second, in ten messages of two. */
async function measureSteady(rows: LiveRows, count: number) {
  const server = await startServer('stream', rows.environment)
  await subscribe(server, count, rows.symbols)
  const before = [await server.figures(), await clients.report()] as const
  const startedMs = performance.now()
  const groups = Array.from({ length: STEADY.messagesPerSecond }, (_value, group) =>
    rows.symbols.map((_symbol, index) => index).filter((index) => index % STEADY.messagesPerSecond === group),
  )
  const ticks = STEADY.seconds * STEADY.messagesPerSecond * STEADY.messagesPerSecond
  const sending: Promise<void>[] = []
  for (let tick = 0; tick < ticks; tick += 1) {
    const dueMs = startedMs + (tick * MS) / STEADY.messagesPerSecond / STEADY.messagesPerSecond
    if (dueMs > performance.now()) await delay(dueMs - performance.now())
    sending.push(rows.announce(groups[tick % groups.length] ?? [], STEADY.recordsPerMessage))
  }
  await Promise.all(sending)
  const perClient = STEADY.seconds * STEADY.messagesPerSecond * STEADY.recordsPerMessage
  const expected = count * perClient
  await clients.untilSampled(before[1].sampledRecords + before[1].sampledClients * perClient)
  const seconds = (performance.now() - startedMs) / MS
  const after = [await server.figures(), await clients.report()] as const
  await clients.close()
  await server.stop()
  const delays = after[1].delaysMs.toSorted((one, other) => one - other)
  const cpuMs = after[0].cpuMs - before[0].cpuMs
  return {
    ...STEADY,
    subscribers: count,
    records: expected,
    messages: after[1].frames - before[1].frames,
    missing: after[1].missing,
    tookSeconds: round(seconds),
    coresUsed: round(cpuMs / MS / STEADY.seconds),
    microsPerRecord: round((cpuMs * MS) / expected),
    delayMs: { p50: at(delays, 0.5), p99: at(delays, 0.99), of: delays.length },
  }
}

/** Connections with a subscription of an instrument that is quiet. */
async function measureIdle(rows: LiveRows) {
  const server = await startServer('stream', rows.environment)
  await subscribe(server, 200, rows.symbols)
  const before = await server.figures()
  await subscribe(server, idle, rows.symbols)
  await delay(2 * MS)
  const after = await server.figures()
  await clients.close()
  await server.stop()
  const perConnection = (bytes: number) => round(bytes / KB / idle)
  return {
    connections: idle,
    kbPerConnection: perConnection(after.rssBytes - before.rssBytes),
    heapKbPerConnection: perConnection(after.heapBytes - before.heapBytes),
  }
}

function at(sorted: readonly number[], quantile: number): number | undefined {
  return sorted[Math.floor(quantile * (sorted.length - 1))]
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
