import { setTimeout as delay } from 'node:timers/promises'
import type { L2Event, Trade } from '@tapeline/contracts/market-data/http'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { parseConnect } from '../../src/connect/parse-connect.ts'
import { createReplay } from '../../src/connect/replay/replay-lines.ts'
import { type Publisher, startPublisher } from '../../src/connect/run/publisher.ts'
import type { Deps } from '../../src/deps.ts'
import type { FileRun, Kind } from '../../src/importers/kind.ts'
import { kinds } from '../../src/importers/kinds.ts'
import { openSource, type Source } from '../../src/importers/sources/open-source.ts'
import { type Head, readHead } from '../../src/importers/sources/read-head.ts'
import type { InstrumentSpec } from '../../src/instruments/instrument.ts'
import { registerInstrument } from '../../src/instruments/register-instrument.ts'
import type { L2Record, TradeRecord } from '../../src/store/record.ts'
import { openStreamPlatform } from '../stream/stream.fixture.ts'
import { bySequence, type Channel, type RecordedPath, type RecordOf } from './recorded-path.fixture.ts'
import { CONNECT, krakenV2Lines } from './recordings.fixture.ts'
import { followInstrument, type Followed } from './stream-follower.fixture.ts'

type Output = Parameters<Publisher['publish']>[0]
type Streams = { trades: Followed<Trade>; l2events: Followed<L2Event>; sent: Record<Channel, Set<string>> }

const STOP_TIMEOUT_MS = 240_000
const ARRIVES_WITHIN_MS = 240_000
const FULL_PAUSE_MS = 20
const LINES_AT_ONCE = 200

/** Connector (`npm run replay`), Kafka, consumer, store and stream; the records are those that a WebSocket client received. */
export async function openLivePath(): Promise<RecordedPath> {
  const platform = await openStreamPlatform()
  const { app, port } = await platform.startProcess()
  const { follow, note, streamsOf, stop } = createFollowers(platform.deps, port)

  async function publishing(publish: (publisher: Publisher) => Promise<void>): Promise<void> {
    const { kafka, topicPrefix } = platform
    const publisher = startPublisher({ kafka, topicPrefix, logger: silentLogger, stopTimeoutMs: STOP_TIMEOUT_MS })
    await publish({
      ...publisher,
      publish(output) {
        publisher.publish(output)
        note(output)
      },
    })
    await publisher.stop()
  }

  return {
    app,
    async play(venue, files, connect = CONNECT[venue]) {
      const [plan] = parseConnect(connect)
      if (plan === undefined) throw new Error(`no plan for ${venue}`)
      for (const instrument of plan.instruments) await follow(instrument)
      const replay = createReplay(plan)
      await publishing(async (publisher) => {
        const lines = files.flat()
        for (const [index, line] of (venue === 'kraken' ? krakenV2Lines(lines) : lines).entries()) {
          for (const output of replay.line(line)?.outputs ?? []) publisher.publish(output)
          if (index % LINES_AT_ONCE === 0) await untilRoom(publisher)
        }
        for (const output of replay.missingTrades()) publisher.publish(output)
      })
    },
    /** There is no live feed of these: the rows are published as a connector publishes its records. */
    async playEquity(file) {
      const source = await openSource(file)
      const head = await readHead(source)
      const kind = kinds.find(({ isLike }) => isLike(head))
      if (kind === undefined) throw new Error(`${file} is of no kind`)
      await publishing(async (publisher) => {
        await publishRows(kind, source, { head, publisher, follow })
      })
    },
    async records<C extends Channel>(channel: C, venue: string, symbol: string): Promise<RecordOf[C][]> {
      const { sent, [channel]: followed } = streamsOf(venue, symbol)
      await untilWhole(followed, sent[channel].size)
      return bySequence(followed.records as RecordOf[C][])
    },
    async close() {
      stop()
      await platform.stop()
    },
  }
}

async function untilRoom(publisher: Publisher): Promise<void> {
  do await delay(publisher.isFull() ? FULL_PAUSE_MS : 0)
  while (publisher.isFull())
}

type Rows = { head: Head; publisher: Publisher; follow: (spec: InstrumentSpec) => Promise<void> }

async function publishRows(kind: Kind, source: Source, { head, publisher, follow }: Rows): Promise<void> {
  let waiting: Output[] = []
  const run = {
    deps: { progress: { advance: () => {} } },
    head,
    trade: (instrument: InstrumentSpec, trade: TradeRecord) =>
      void waiting.push({ instrument, trades: [trade], l2Events: [], tradeGaps: [] }),
    l2Event: (instrument: InstrumentSpec, event: L2Record) =>
      void waiting.push({ instrument, trades: [], l2Events: [event], tradeGaps: [] }),
    refuse: (line: number, reason: string) => {
      throw new Error(`${line}: ${reason}`)
    },
    note: () => {},
    async drain() {
      const [first] = waiting
      if (first !== undefined) await follow(first.instrument)
      for (const output of waiting) publisher.publish(output)
      waiting = []
      await untilRoom(publisher)
    },
  }
  // The readers of these kinds use nothing else of `deps`.
  await kind.createReader()(source, run as unknown as FileRun)
  await run.drain()
}

async function untilWhole({ records, problem }: Followed<Trade> | Followed<L2Event>, count: number): Promise<void> {
  await waitUntil('all records arrive', () => problem() !== undefined || records.length >= count, ARRIVES_WITHIN_MS)
  if (problem() !== undefined) throw new Error(problem())
}

/** One WebSocket client per instrument and channel, and what was published for it. */
function createFollowers({ db }: Pick<Deps, 'db'>, port: number) {
  const streams = new Map<string, Streams>()

  async function follow(spec: InstrumentSpec): Promise<void> {
    const key = `${spec.venue}:${spec.symbol}`
    if (streams.has(key)) return
    await registerInstrument(db, spec)
    const place = { port, venue: spec.venue, symbol: spec.symbol }
    const [trades, l2events] = [followInstrument<Trade>(place, 'trades'), followInstrument<L2Event>(place, 'l2events')]
    await Promise.all([trades.subscribed, l2events.subscribed])
    streams.set(key, { trades, l2events, sent: { trades: new Set(), l2events: new Set() } })
  }

  /** A record is identified by its event time and the id of its source. */
  function note({ instrument, trades, l2Events }: Output): void {
    const { sent } = streamsOf(instrument.venue, instrument.symbol)
    for (const { tsEvent, sourceId } of trades) sent.trades.add(`${tsEvent} ${sourceId}`)
    for (const { tsEvent, sourceId } of l2Events) sent.l2events.add(`${tsEvent} ${sourceId}`)
  }

  function streamsOf(venue: string, symbol: string): Streams {
    const found = streams.get(`${venue}:${symbol}`)
    if (found === undefined) throw new Error(`${venue}:${symbol} was not played`)
    return found
  }

  return {
    follow,
    note,
    streamsOf,
    stop: () => {
      for (const { trades, l2events } of streams.values()) for (const one of [trades, l2events]) one.stop()
    },
  }
}
