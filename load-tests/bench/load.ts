import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Connection, type Destination } from './connection.ts'
import type { Ticking } from './tick-thread.ts'

export type Load =
  /** Each connection sends the next request when the previous one is answered. */
  | { kind: 'closed'; seconds: number; connections: number }
  /** At a fixed rate, regardless of the answers; latency counts from the intended start. */
  | { kind: 'open'; seconds: number; connections: number; perSecond: number }
export type LoadOrder = Load & { destination: Destination }
export type LoadResult = {
  answered: number
  seconds: number
  statuses: Record<string, number>
  latenciesMs: number[]
  reconnects: number
}

const NS_PER_MS = 1_000_000n
const NS_PER_SECOND = 1_000_000_000
/** Time for the tick thread to start. */
const FIRST_AFTER_MS = 500
const LAST_ANSWERS_MS = 5_000

/** Runs one slice of load and reports the answers; ends when every request is answered. */
export async function runLoad(order: LoadOrder): Promise<LoadResult> {
  return order.kind === 'closed' ? runClosed(order) : runOpen(order)
}

async function runClosed(order: Extract<LoadOrder, { kind: 'closed' }>): Promise<LoadResult> {
  const tally = newTally()
  const { promise, resolve } = Promise.withResolvers<void>()
  let endAt = Infinity
  let waiting = order.connections
  const connections = await openAll(order, (connection, status) => {
    const now = performance.now()
    count(tally, status, now - connection.intendedAtMs)
    if (now < endAt) return connection.send(now)
    waiting -= 1
    if (waiting === 0) resolve()
  })
  const startedAt = performance.now()
  endAt = startedAt + order.seconds * 1_000
  for (const connection of connections) connection.send(performance.now())
  await promise
  return finish(tally, connections, startedAt)
}

async function runOpen(order: Extract<LoadOrder, { kind: 'open' }>): Promise<LoadResult> {
  const tally = newTally()
  const total = order.seconds * order.perSecond
  const due: number[] = []
  const idle: Connection[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const connections = await openAll(order, (connection, status) => {
    count(tally, status, performance.now() - connection.intendedAtMs)
    const next = due.shift()
    if (next === undefined) idle.push(connection)
    else connection.send(next)
    if (tally.answered === total) resolve()
  })
  idle.push(...connections)

  let sent = 0
  // In this order, so that no tick arrives before its target is ready.
  const startedAt = performance.now() + FIRST_AFTER_MS
  const ticking: Ticking = {
    startNs: process.hrtime.bigint() + BigInt(FIRST_AFTER_MS) * NS_PER_MS,
    everyNs: BigInt(Math.ceil(NS_PER_SECOND / order.perSecond)),
    times: total,
  }
  const ticker = new Worker(join(import.meta.dirname, 'tick-thread.ts'), { workerData: ticking })
  ticker.on('message', () => {
    const now = performance.now()
    for (; sent < total; sent += 1) {
      const intendedAt = startedAt + (sent * 1_000) / order.perSecond
      if (intendedAt > now) return
      // In turn, because the gateway and other servers close unused connections after some seconds.
      const connection = idle.shift()
      if (connection === undefined) due.push(intendedAt)
      else connection.send(intendedAt)
    }
  })
  const tooLong = setTimeout(
    () =>
      reject(
        new Error(
          `${total - tally.answered} of ${total} requests had no answer ${LAST_ANSWERS_MS} ms after the last was due`,
        ),
      ),
    order.seconds * 1_000 + LAST_ANSWERS_MS,
  )
  try {
    await promise
  } finally {
    await ticker.terminate()
    clearTimeout(tooLong)
  }
  return finish(tally, connections, startedAt)
}

type Tally = { answered: number; statuses: Record<string, number>; latenciesMs: number[] }

function newTally(): Tally {
  return { answered: 0, statuses: {}, latenciesMs: [] }
}

function count(tally: Tally, status: number, latencyMs: number): void {
  tally.answered += 1
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
  tally.latenciesMs.push(latencyMs)
}

type OnResponse = (connection: Connection, status: number) => void

/** Connections are opened before the measurement. */
async function openAll(order: LoadOrder, onResponse: OnResponse): Promise<Connection[]> {
  const connections = Array.from({ length: order.connections }, () => new Connection(order.destination, onResponse))
  await Promise.all(connections.map((connection) => connection.untilOpen()))
  return connections
}

function finish(tally: Tally, connections: Connection[], startedAt: number): LoadResult {
  const seconds = (performance.now() - startedAt) / 1_000
  for (const connection of connections) connection.end()
  return { ...tally, seconds, reconnects: connections.reduce((sum, { reconnects }) => sum + reconnects, 0) }
}
