import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { recording } from '@tapeline/testing/recordings'
import { createBinanceFeed } from '../src/connect/feeds/binance-feed.ts'
import { createReplay } from '../src/connect/replay/replay-lines.ts'
import { venueMessage } from '../src/connect/run/venue-event.ts'

const ROUNDS = 7
const feed = createBinanceFeed('spot')
const instrument = feed.instrumentOf('BTC-USDT')
const file = recording('binance-spot', 'spot_btcusdt_20240808.gz')

// npm run bench:connect: messages that one core parses, applies to the book and renders for Kafka, of a recorded Binance feed.
if (file === undefined || instrument === undefined) {
  process.stderr.write('recorded data not available: set RECORDINGS_DIR\n')
  process.exitCode = 2
} else {
  const lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    // The connector does not subscribe to quotes.
    if (!line.includes('@bookTicker')) lines.push(line)
  }
  const rates = Array.from({ length: ROUNDS }, () => measure(lines)).toSorted(
    (one, other) => one.perSecond - other.perSecond,
  )
  const { perSecond = 0, withKafka = 0, trades = 0, l2Events = 0, levels = 0 } = rates[Math.floor(ROUNDS / 2)] ?? {}
  process.stdout.write(
    `${JSON.stringify({ messages: lines.length, trades, l2Events, levels, perSecond, withKafka })}\n`,
  )
}

function measure(lines: readonly string[]) {
  const replay = createReplay({ feed, instruments: instrument === undefined ? [] : [instrument] })
  const batch = { trades: [], l2Events: [], tradeGaps: [] } as Pick<
    ReturnType<typeof replay.end>[number],
    'trades' | 'l2Events' | 'tradeGaps'
  >
  const before = process.cpuUsage()
  for (const line of lines) {
    for (const { trades, l2Events } of replay.line(line)?.outputs ?? []) {
      batch.trades.push(...trades)
      batch.l2Events.push(...l2Events)
    }
  }
  const applied = seconds(before)
  if (instrument !== undefined) venueMessage({ instrument, ...batch }, { id: 'x', time: new Date() })
  const rendered = seconds(before)
  const levels = batch.l2Events.reduce((sum, { bids, asks }) => sum + bids.length + asks.length, 0)
  return {
    perSecond: Math.round(lines.length / applied),
    withKafka: Math.round(lines.length / rendered),
    trades: batch.trades.length,
    l2Events: batch.l2Events.length,
    levels,
  }
}

/** CPU of the process. */
function seconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
