import { randomUUID } from 'node:crypto'
import { COMMAND_CONNECT_TIMEOUT_MS, connectDatabase, createPool } from '@tapeline/database/connect'
import { createKafka } from '@tapeline/events/kafka'
import { createLogger } from '@tapeline/service/logger'
import { type CcxtExchange, findMarkets, type Watched, watchTrades } from './connect/ccxt/watch-trades.ts'
import { FEEDS_OF_VENUE } from './connect/feeds/feeds-of-venue.ts'
import { holdLease } from './connect/run/hold-lease.ts'
import { startPublisher } from './connect/run/publisher.ts'
import { createReceiveClock } from './connect/run/receive-clock.ts'
import { SIM_VENUE } from './instruments/instrument.ts'
import { registerInstrument } from './instruments/register-instrument.ts'
import type { Tables } from './tables.ts'

const STATEMENT_TIMEOUT_MS = 30_000
const PACKAGE = 'ccxt'
/** The version of ccxt that this command was tested with. */
const VERSION = '4.5.84'
const ARGUMENT = /^ccxt:([a-z0-9]{2,40}):([A-Z0-9,-]{3,2000})$/

const USAGE = `Usage: npm run connect -- ccxt:<venue>:<SYMBOL,…>

Records the trades of a venue that has no connector of its own, over the package ccxt (npm install --no-save ccxt@${VERSION}), until
it is stopped. There are no order books, no missed trades are requested, and sides are flagged as estimated (docs/connecting.md).
`

type Exchanges = { pro: Readonly<Record<string, new (options: object) => CcxtExchange>> }

async function run(argument: string): Promise<number> {
  const [, venue, list] = ARGUMENT.exec(argument) ?? []
  if (venue === undefined || list === undefined) {
    process.stderr.write(USAGE)
    return 2
  }
  if (FEEDS_OF_VENUE.has(venue) || venue === SIM_VENUE) {
    throw new Error(`${venue} has a connector of its own: CONNECT="${venue}:${list}" npm start, or Admin, Venues`)
  }
  const exchange = await openExchange(venue)
  try {
    await record(exchange, await findMarkets(exchange, [...new Set(list.split(','))]))
    return 0
  } finally {
    await exchange.close()
  }
}

/** Decimals as text, and only the trades since the last call. */
async function openExchange(venue: string): Promise<CcxtExchange> {
  const loaded: { default: Exchanges } = await import(PACKAGE).catch((cause: unknown) => {
    throw new Error(`the package ccxt is not installed: npm install --no-save ccxt@${VERSION}`, { cause })
  })
  const Exchange = loaded.default.pro[venue]
  if (Exchange === undefined) throw new Error(`ccxt has no live data of ${venue}`)
  const exchange = new Exchange({ newUpdates: true, enableRateLimit: true })
  return Object.assign(exchange, { number: String })
}

async function record(exchange: CcxtExchange, watched: readonly Watched[]): Promise<void> {
  const { DATABASE_URL: url = '', KAFKA_BROKERS: brokers = '', KAFKA_TOPIC_PREFIX: topicPrefix = '' } = process.env
  const logger = createLogger('connect', 'info')
  const pool = createPool({
    url,
    connectionsMax: 2,
    applicationName: 'connect',
    connectTimeoutMs: COMMAND_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  const db = connectDatabase<Tables>(pool)
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
  const publisher = startPublisher({
    kafka: createKafka({ brokers, clientId: 'connect', log: logger }),
    topicPrefix,
    logger,
  })
  try {
    for (const { instrument } of watched) await registerInstrument(db, instrument)
    const lease = { db, feed: `ccxt-${exchange.id}`, holder: randomUUID(), logger, signal: stopping.signal }
    await holdLease(lease, async (signal) => {
      // Closing the connection also ends a pending wait for the next trade.
      signal.addEventListener('abort', () => void exchange.close(), { once: true })
      const options = { exchange, publisher, clock: createReceiveClock(), logger, signal }
      await Promise.all(watched.map((one) => watchTrades(one, options)))
    })
  } finally {
    await publisher.stop()
    await pool.end()
  }
}

try {
  process.exitCode = await run(process.argv[2] ?? '')
} catch (error) {
  process.stderr.write(`connect: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
