import { mkdtempSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { beginResult } from '@tapeline/testing/begin-result'
import { RedisServer } from '@tapeline/testing/redis/redis-server'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { percentile } from '../../load-tests/bench/figures/summarize.ts'
import type { Ticking } from '../../load-tests/bench/tick-thread.ts'
import { AccountCounters } from '../src/limiter/account-counters.ts'
import type { LimitQuery } from '../src/limiter/limiter-call.ts'
import { Limiter } from '../src/limiter/limiter.ts'
import type { LimiterStore } from '../src/limiter/redis/limiter-store.ts'
import { openLimiterStore } from '../src/limiter/redis/open-limiter-store.ts'
import { LoggedAccount } from '../test/limiter-gateway.fixture.ts'

// The round trip of a decision: from the write to the socket until the reply is read, with the limiter and the connection of the
// gateway and a separate Redis, at a fixed rate that does not wait for replies. Decisions due in one turn of the event loop share
// a write, as in the gateway.

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    out: { type: 'string', default: 'docs/benchmarks/limiter-round-trip.json' },
  },
})
const [PER_SECOND, SECONDS] = [Number(values.rate), Number(values.seconds)]
const ACCOUNTS = 1_000
const WARM_UP_SECONDS = 5
/** Late replies are measured; the gateway's timeout would hand them to the fallback limiter. */
const REPLY_WITHIN_MS = 5_000
/** Time for the tick thread to start. */
const FIRST_AFTER_MS = 500
const NS_PER_SECOND = 1_000_000_000
const NS_PER_MS = 1_000_000n

const dir = mkdtempSync(join(tmpdir(), 'round-trip-'))
const server = await RedisServer.start(dir, { appendonly: 'yes', appendfsync: 'everysec' })
const store = await openLimiterStore(server.url, silentLogger)
const limiter = new Limiter({
  store,
  logger: silentLogger,
  epoch: { current: 1 },
  replyWithinMs: REPLY_WITHIN_MS,
  onUp: () => limiter.flush(),
})
try {
  await waitUntil('Redis decides', () => limiter.connection.isUp)
  const queries = await seededAccounts()
  await decide(queries, WARM_UP_SECONDS)
  const result = beginResult()
  const roundTrips = timed(store)
  const startedMs = performance.now()
  await decide(queries, SECONDS)
  const took = (performance.now() - startedMs - FIRST_AFTER_MS) / 1_000
  roundTrips.sort((one, other) => one - other)
  const at = (percent: number) => Math.round(percentile(roundTrips, percent) * 1_000) / 1_000
  const figures = {
    redis: server.version,
    /** Niceness of the process and of Redis: below 0 on a machine that others use at the same time. */
    niceness: getPriority(),
    perSecond: Math.round((PER_SECOND * SECONDS) / took),
    decisions: PER_SECOND * SECONDS,
    roundTrips: roundTrips.length,
    roundTripMs: { p50: at(50), p99: at(99), p999: at(99.9), most: at(100) },
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  result.write(values.out, figures)
} finally {
  limiter.stop()
  store.disconnect()
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
}

async function seededAccounts(): Promise<LimitQuery[]> {
  const pipeline = server.redis.pipeline()
  const queries = Array.from({ length: ACCOUNTS }, (): LimitQuery => {
    const { id, plan, key } = new LoggedAccount({})
    const counters = new AccountCounters(id)
    pipeline.hset(counters.keys.account, { g: '1', u: '1', s: '1', 'k:x': '1' })
    const versions = { userVersion: 1, subscriptionVersion: 1, keyVersion: 1 }
    return {
      counters,
      plan,
      kid: key.kid,
      ...versions,
      keyId: key.key_id,
      caps: undefined,
      keyShadow: undefined,
      loaded: '',
      purpose: 'count',
    }
  })
  await pipeline.exec()
  return queries
}

/** Resolves when every decision has arrived. Each lease is released with the next decisions. */
async function decide(queries: readonly LimitQuery[], seconds: number): Promise<void> {
  const total = seconds * PER_SECOND
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let [sent, decided] = [0, 0]
  const unexpected = () => reject(new Error('Redis did not decide'))
  const sendQuery = () => {
    const query = queries[sent % queries.length]
    if (query === undefined) return
    const leaseId = `lease-${(sent += 1)}`
    const onDecided = () => {
      limiter.release(query.counters, leaseId)
      if ((decided += 1) === total) resolve()
    }
    const other = { onUnavailable: unexpected, onStale: unexpected, onUnseeded: unexpected, onLateReply: unexpected }
    limiter.decide(query, { leaseId, onDecided, ...other })
  }
  const startMs = performance.now() + FIRST_AFTER_MS
  const ticking: Ticking = {
    startNs: process.hrtime.bigint() + BigInt(FIRST_AFTER_MS) * NS_PER_MS,
    everyNs: BigInt(NS_PER_SECOND / PER_SECOND),
    times: total,
  }
  const file = join(import.meta.dirname, '../../load-tests/bench/tick-thread.ts')
  const ticker = new Worker(file, { workerData: ticking })
  ticker.on('message', () => {
    const due = Math.floor(((performance.now() - startMs) / 1_000) * PER_SECOND) + 1
    while (sent < Math.min(due, total)) sendQuery()
  })
  await promise.finally(() => ticker.terminate())
}

/** Milliseconds of every later write with decisions. */
function timed(connection: LimiterStore): number[] {
  const roundTrips: number[] = []
  const send = connection.send.bind(connection)
  connection.send = (commands, onReplies) => {
    const sentMs = performance.now()
    const isDecision = commands.some(([name]) => name === 'EVALSHA')
    send(commands, (results) => {
      if (isDecision) roundTrips.push(performance.now() - sentMs)
      onReplies(results)
    })
  }
  return roundTrips
}
