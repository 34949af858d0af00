import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { COMMAND_CONNECT_TIMEOUT_MS, connectDatabase, createPool } from '@tapeline/database/connect'
import { createKafka } from '@tapeline/events/kafka'
import { createLogger } from '@tapeline/service/logger'
import { parseConnect } from './connect/parse-connect.ts'
import { createReplay, type Replay } from './connect/replay/replay-lines.ts'
import { type Publisher, startPublisher } from './connect/run/publisher.ts'
import type { FeedPlan } from './connect/start-venue.ts'
import { openSource } from './importers/sources/open-source.ts'
import { readLines } from './importers/sources/read-lines.ts'
import { registerInstrument } from './instruments/register-instrument.ts'
import type { Tables } from './tables.ts'

const STATEMENT_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 600_000
const FULL_PAUSE_MS = 100
const NS_PER_MS = 1_000_000n
/** Shorter pauses are accumulated before the next wait. */
const PAUSE_MIN_MS = 20
const NANOSECONDS = /^\d{1,19}$/

const USAGE = `Usage: npm run replay -- <venue:SYMBOL,…> <files…> [--speed 1|<n>|max] [--from <ns>]

Plays raw frames of a connector (.tapeline/raw) or recorded ones (Binance: <ns> <frame>; Coinbase: <seconds>: <frame>)
into the platform that runs from TAPELINE_DIR, at the speed at which they were received (1), n times faster or as fast
as possible (max). Records keep their times and are flagged replayed; playing them again adds nothing.
To continue an interrupted replay, pass the receive time in --from; earlier records are sent without delay.
`

type Speed = { factor: number; from: bigint }

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      speed: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [connect = '', ...files] = positionals
  const factor = values.speed === 'max' ? Number.POSITIVE_INFINITY : Number(values.speed)
  if (values.help === true || files.length === 0 || !(factor > 0) || !NANOSECONDS.test(values.from)) {
    process.stderr.write(USAGE)
    return values.help === true ? 0 : 2
  }
  const [plan, another] = parseConnect(connect)
  if (plan === undefined || another !== undefined)
    throw new Error('specify instruments of exactly one feed, such as binance:BTC-USDT,ETH-USDT')
  await register(plan)
  return replayFiles(plan, files, { factor, from: BigInt(values.from) })
}

async function replayFiles(plan: FeedPlan, files: readonly string[], speed: Speed): Promise<number> {
  const { KAFKA_BROKERS: brokers = '', KAFKA_TOPIC_PREFIX: topicPrefix = '' } = process.env
  const logger = createLogger('replay', 'warn')
  const kafka = createKafka({ brokers, clientId: 'market-data-replay', log: logger })
  const publisher = startPublisher({ kafka, topicPrefix, logger, stopTimeoutMs: STOP_TIMEOUT_MS })
  const { lines, trades, l2Events, gaps, unreadable } = await play({ plan, files, publisher }, speed)
  await publisher.stop()
  process.stdout.write(
    `${lines} lines: ${trades} trades, ${l2Events} book events, ${gaps} gaps, ${unreadable} unreadable lines\n`,
  )
  return unreadable > 0 ? 1 : 0
}

async function register({ instruments }: FeedPlan): Promise<void> {
  const pool = createPool({
    url: process.env['DATABASE_URL'] ?? '',
    connectionsMax: 1,
    applicationName: 'replay',
    connectTimeoutMs: COMMAND_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  try {
    for (const instrument of instruments) await registerInstrument(connectDatabase<Tables>(pool), instrument)
  } finally {
    await pool.end()
  }
}

type Play = { plan: FeedPlan; files: readonly string[]; publisher: Publisher }
type Counts = { lines: number; trades: number; l2Events: number; gaps: number; unreadable: number }

async function play({ plan, files, publisher }: Play, speed: Speed): Promise<Counts> {
  const replay = createReplay(plan)
  const counts: Counts = { lines: 0, trades: 0, l2Events: 0, gaps: 0, unreadable: 0 }
  const wait = createPace(speed)
  const publish = (outputs: ReturnType<Replay['end']>): void => {
    for (const output of outputs) {
      publisher.publish(output)
      counts.trades += output.trades.length
      counts.l2Events += output.l2Events.length
      counts.gaps += output.l2Events.filter(({ type }) => type === 'gap').length
    }
  }
  for (const file of files) {
    for await (const lines of readLines(await openSource(file))) {
      for (const line of lines) {
        counts.lines += 1
        const read = readLine(replay, line, counts)
        if (read === undefined) continue
        await wait(read.tsRecv)
        publish(read.outputs)
      }
      while (publisher.isFull()) await delay(FULL_PAUSE_MS)
    }
  }
  publish(replay.end())
  return counts
}

function readLine(replay: Replay, line: string, counts: Counts): ReturnType<Replay['line']> {
  try {
    return replay.line(line)
  } catch (error) {
    counts.unreadable += 1
    process.stderr.write(`line ${counts.lines} ${error instanceof Error ? error.message : 'cannot be read'}\n`)
    return undefined
  }
}

/** Waits until a line is due. */
function createPace({ factor, from }: Speed): (tsRecv: string) => Promise<void> {
  let startedMs = 0
  let first: bigint | undefined
  return async (tsRecv) => {
    if (!Number.isFinite(factor) || BigInt(tsRecv) < from) return
    if (first === undefined) {
      first = BigInt(tsRecv)
      startedMs = performance.now()
    }
    const dueMs = startedMs + Number((BigInt(tsRecv) - first) / NS_PER_MS) / factor
    if (dueMs - performance.now() > PAUSE_MIN_MS) await delay(dueMs - performance.now())
  }
}

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`replay: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
