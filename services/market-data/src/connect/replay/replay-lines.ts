import { FLAGS } from '../../store/record.ts'
import { createFeedReader, type FeedReader, type InstrumentOutput } from '../feed-reader.ts'
import type { FeedPlan } from '../start-venue.ts'

export type Replay = {
  reader: FeedReader
  /** Throws an Error that describes what is wrong with the line. */
  line: (text: string) => { tsRecv: string; outputs: InstrumentOutput[] } | undefined
  /** Trades that are missing in the lines so far. */
  missingTrades: () => InstrumentOutput[]
  /** Ends the replay: what follows the last line is unknown, and missing trades will not arrive. */
  end: () => InstrumentOutput[]
}

/** A line of a raw file of a connector, or of a recording of another program. */
type RecordedLine = { tsRecv: string; kind: string; text: string }

/** `<nanoseconds> <kind> <text>`, or without a kind. */
const BY_NANOSECONDS = /^(?<time>\d{19}) (?:(?<kind>[a-z]+(?::[^ ]+)?) |(?=[[{]))/
/** The format of cryptofeed, with times in seconds. */
const BY_SECONDS = /^(?<time>\d{10}(?:\.\d{1,9})?): (?=[[{])/
const RECORDER = /^wss:\/\//
const NS_DIGITS = 19

const SNAPSHOT_KIND = 'snapshot:'
const REST_SNAPSHOT = '{"lastUpdateId"'

/** Recorded lines through the same books and trades as a live connection; records are flagged `replayed`. */
export function createReplay({ feed, instruments }: Pick<FeedPlan, 'feed' | 'instruments'>): Replay {
  const reader = createFeedReader({ feed, instruments, flags: FLAGS.replayed })
  const markets = [...reader.markets.values()]
  let lastRecv = '0'

  function open(): InstrumentOutput[] {
    return markets.map((market) => reader.step(market, market.book.opened()))
  }

  function lost(reason: string): InstrumentOutput[] {
    return markets.map((market) => reader.step(market, market.book.lost(reason, lastRecv)))
  }

  function missingTrades(): InstrumentOutput[] {
    return markets.map((market) => reader.lose(market, market.trades.giveUpAll()))
  }

  function snapshot(venueSymbol: string | undefined, { tsRecv, text }: RecordedLine): InstrumentOutput[] {
    if (feed.snapshot === undefined || venueSymbol === undefined)
      throw new Error('is a snapshot of one of several instruments: name one instrument')
    const read = feed.snapshot.read(text, { tsRecv, flags: FLAGS.replayed })
    return reader.messages([{ kind: 'snapshot', venueSymbol, snapshot: read }])
  }

  function take(line: RecordedLine): InstrumentOutput[] {
    if (line.kind === 'open') return open()
    if (line.kind === 'close') return lost(line.text)
    if (line.kind.startsWith(SNAPSHOT_KIND)) return snapshot(line.kind.slice(SNAPSHOT_KIND.length), line)
    const [only, another] = markets
    if (feed.snapshot !== undefined && line.text.startsWith(REST_SNAPSHOT))
      return snapshot(another === undefined ? only?.instrument.venueSymbol : undefined, line)
    return reader.frame(line.text, line.tsRecv)
  }

  open()
  return {
    reader,
    line(text) {
      const line = parseRecordedFrame(text)
      if (line === undefined) return undefined
      lastRecv = line.tsRecv
      const outputs = take(line)
      // If a snapshot ended the gap, the recording contains it.
      for (const market of markets) if (market.book.phase() === 'recovering') market.book.retry()
      return { tsRecv: line.tsRecv, outputs }
    },
    missingTrades,
    end: () => [...lost('recording_ended'), ...missingTrades()],
  }
}

/** Undefined for lines of the recorder itself; throws an Error that describes what is wrong with any other line. */
function parseRecordedFrame(line: string): RecordedLine | undefined {
  if (line === '' || RECORDER.test(line)) return undefined
  const match = BY_NANOSECONDS.exec(line) ?? BY_SECONDS.exec(line)
  const time = match?.groups?.['time']
  if (match === null || time === undefined) throw new Error('does not begin with a receive time')
  const tsRecv = time.replace('.', '').padEnd(NS_DIGITS, '0')
  return { tsRecv, kind: match.groups?.['kind'] ?? 'frame', text: line.slice(match[0].length) }
}
