import type { L2Event, Trade } from '@tapeline/contracts/market-data/http'
import { NO_RECORDINGS } from '@tapeline/testing/recordings'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { krakenLine, replayBook, truncatedBook } from '../../test/oracles/book-oracles.fixture.ts'
import { openLivePath } from '../../test/oracles/live-path.fixture.ts'
import { callList, openImportPath, type RecordedPath } from '../../test/oracles/recorded-path.fixture.ts'
import { binanceFiles, hasRecordings, krakenFile, linesOf } from '../../test/oracles/recordings.fixture.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

if (!hasRecordings) test.skip(NO_RECORDINGS, () => {})

/** Lines of the first recording: enough for its snapshot and some 300 updates. */
const LINES = 4_000
const PLAIN = 'ETH'
/** Maximum number of gaps in a page. */
const GAPS_SHOWN = 100

type Depth = { line: string; U: number; u: number }

type Played = {
  path: RecordedPath
  lines: string[]
  depths: Depth[]
  snapshot: string
  events: L2Event[]
  trades: Trade[]
}

/** Each has an instrument of its own. */
const faults: [name: string, check: (played: Played) => Promise<void>][] = [
  [
    'every 7th update is missing: the very next one is a gap, and coverage has it',
    async ({ path, lines, depths }) => {
      const [base, every] = ['SOL', 7]
      const dropped = new Set(
        depths.filter((_depth, index) => index > 10 && index % every === 0).map(({ line }) => line),
      )
      await play(
        path,
        base,
        lines.filter((line) => !dropped.has(line)),
      )
      const missing = depths.findIndex(({ line }) => dropped.has(line))
      const { events: found } = await recordsOf(path, base)
      expect(found.map(({ type }) => type)).toEqual(['snapshot', ...found.slice(2).map(() => 'update'), 'gap'])
      const gap = found.at(-1)
      expect(found.at(-2)?.venue_last_id).toBe(String(depths[missing - 1]?.u))
      expect([gap?.venue_prev_id, gap?.venue_first_id]).toEqual([
        String(depths[missing - 1]?.u),
        String(depths[missing + 1]?.U),
      ])
      const page = await callList(path.app, 'l2events', { venues: ['binance'], symbols: [`${base}-USDT`], ...ALL })
      expect(page).toMatchObject({ coverage: expect.arrayContaining([expect.objectContaining({ state: 'gap' })]) })
    },
  ],
  [
    'Kraken: a missing update is a gap at the first checksum that does not agree',
    async ({ path }) => {
      const all = (await linesOf(krakenFile)).filter((line) => line.includes('"book-1000","XMR/USD"]'))
      const missing = 40
      await path.play('kraken', [all.filter((_line, index) => index !== missing)], 'kraken:XMR-USD')
      const found = await path.records('l2events', 'kraken', 'XMR-USD')
      const gap = found.at(-1)
      expect(gap?.gap?.reason).toBe('checksum_mismatch')
      expect(found.filter(({ type }) => type === 'gap')).toHaveLength(1)
      expect(found.length).toBeGreaterThan(missing)
      expect(found.length).toBeLessThan(all.length)
    },
  ],
  [
    'Kraken: levels beyond the depth of the subscription leave the book',
    async ({ path }) => {
      const { messages, levelsLeft } = truncatedBook()
      await path.play('kraken', [messages.map(krakenLine)], 'kraken:SC-EUR')
      const found = await path.records('l2events', 'kraken', 'SC-EUR')
      expect(found.map(({ type }) => type)).toEqual(['snapshot', 'update', 'update'])
      expect(found.at(-1)?.asks).toHaveLength(1_001 - 1 - levelsLeft)
    },
  ],
  [
    'lines that come twice, and a recording that comes again, add nothing',
    async ({ path, lines, events, trades }) => {
      await play(
        path,
        'ADA',
        lines.flatMap((line) => [line, line]),
      )
      await play(path, 'ADA', lines)
      const found = await recordsOf(path, 'ADA')
      expect(found.trades.map(contentOf)).toEqual(trades.map(contentOf))
      expect(found.events.map(contentOf)).toEqual(events.map(contentOf))
    },
  ],
  [
    'every 9th trade is missing: each hole of ids is a gap in the coverage, and closed by the whole recording',
    async ({ path, lines, trades }) => {
      const places = lines.flatMap((line, index) => (isTrade(line) ? [index] : []))
      const dropped = new Set(places.filter((_place, index) => index % 9 === 4))
      const holes = trades.flatMap((trade, index) => (index % 9 === 4 ? [trade] : []))
      const gapsOf = async () => {
        const filter = { venues: ['binance'], symbols: ['XLM-USDT'], ...ALL, time_format: 'unix_ns' }
        const page = await callList(path.app, 'trades', filter)
        return (page.coverage ?? []).filter(({ state }) => state === 'gap')
      }
      const withHoles = lines.filter((_line, index) => !dropped.has(index))
      await play(path, 'XLM', withHoles)
      await vi.waitFor(async () => expect(await gapsOf()).toHaveLength(Math.min(holes.length, GAPS_SHOWN)), 60_000)
      for (const [index, { reason, from, to }] of (await gapsOf()).entries()) {
        const time = BigInt(holes[index]?.ts_event ?? 0)
        const isAround = BigInt(from ?? 0) <= time && time <= BigInt(to ?? 0)
        expect({ reason, isAround }).toEqual({ reason: 'trade_ids_missing', isAround: true })
      }
      await play(path, 'XLM', lines)
      await vi.waitFor(async () => expect(await gapsOf()).toEqual([]), 60_000)
      await play(path, 'XLM', withHoles)
      expect(await gapsOf()).toEqual([])
    },
  ],
  [
    'trades that come in another order are the same trades',
    async ({ path, lines, trades }) => {
      const places = lines.flatMap((line, index) => (isTrade(line) ? [index] : []))
      const swapped = [...lines]
      for (let at = 1; at + 1 < places.length; at += 2) {
        const [one = 0, other = 0] = [places[at], places[at + 1]]
        ;[swapped[one], swapped[other]] = [lines[other] ?? '', lines[one] ?? '']
      }
      await play(path, 'LTC', swapped)
      const found = (await recordsOf(path, 'LTC')).trades.toSorted((a, b) => Number(a.trade_id) - Number(b.trade_id))
      const withoutPlace = (trade: Trade) => ({ ...contentOf(trade), sequence: '' })
      expect(found.map(withoutPlace)).toEqual(trades.map(withoutPlace))
    },
  ],
  [
    'a snapshot that is newer than the oldest updates that wait begins the same book',
    async ({ path, lines, depths, snapshot, events }) => {
      const [joined, waiting] = [30, 35]
      const at = events.findIndex(({ venue_last_id }) => venue_last_id === String(depths[joined]?.u))
      const { bids, asks } = bookAfter(events.slice(0, at + 1))
      const newer = `${snapshot.slice(0, snapshot.indexOf('{'))}${JSON.stringify({ lastUpdateId: depths[joined]?.u, bids, asks })}`
      const others = lines.filter((line) => line !== snapshot)
      const place = others.indexOf(depths[waiting]?.line ?? '') + 1
      await play(path, 'BNB', [...others.slice(0, place), newer, ...others.slice(place)])
      const found = (await recordsOf(path, 'BNB')).events
      expect(found[0]?.type).toBe('snapshot')
      expect(found.slice(1).map(levelsOf)).toEqual(events.slice(at + 1).map(levelsOf))
      expect(bookAfter(found)).toEqual(bookAfter(events))
    },
  ],
  [
    'a snapshot that is older than the updates that wait begins no book',
    async ({ path, lines, depths, snapshot }) => {
      const late = depths.slice(12).map(({ line }) => line)
      // A trade, so that the instrument is known.
      const trade = lines.find(isTrade) ?? ''
      await play(path, 'DOT', [trade, ...late.slice(0, 20), snapshot, ...late.slice(20)])
      expect((await recordsOf(path, 'DOT')).events).toEqual([])
    },
  ],
  [
    'a process that ends in the middle and begins again leaves the same rows and sequences',
    async ({ path, lines, events, trades }) => {
      await play(path, 'UNI', lines.slice(0, LINES / 2))
      await play(path, 'UNI', lines)
      const found = await recordsOf(path, 'UNI')
      expect(found.trades.map(contentOf)).toEqual(trades.map(contentOf))
      expect(found.events.map(contentOf)).toEqual(events.map(contentOf))
    },
  ],
]

/** Recordings with faults: import and live path must store the same records. */
describe.skipIf(!hasRecordings).each([
  ['import', openImportPath],
  ['connector, Kafka, store and stream', openLivePath],
] as const)('%s', (_name, open) => {
  let played: Played

  beforeAll(async () => {
    const lines = (await linesOf(binanceFiles[0] ?? '')).slice(0, LINES)
    const snapshot = lines.find((line) => line.includes('"lastUpdateId"')) ?? ''
    const depths = lines.filter(isDepth).map((line) => ({ line, ...JSON.parse(line.slice(line.indexOf('{'))).data }))
    const path = await open()
    await play(path, PLAIN, lines)
    played = { path, lines, depths, snapshot, ...(await recordsOf(path, PLAIN)) }
    expect([played.events.length > 250, played.trades.length > 500]).toEqual([true, true])
  })
  afterAll(() => played.path.close())

  test.each(faults)('%s', (_fault, expectIt) => expectIt(played))
})

/** The lines with another base currency. */
async function play(path: RecordedPath, base: string, recordedLines: readonly string[]): Promise<void> {
  const renamed = recordedLines.map((line) => line.replaceAll('BTCUSDT', `${base}USDT`))
  await path.play('binance', [renamed], `binance:${base}-USDT`)
}

async function recordsOf(path: RecordedPath, base: string): Promise<{ events: L2Event[]; trades: Trade[] }> {
  const symbol = `${base}-USDT`
  const events = await path.records('l2events', 'binance', symbol)
  return { events, trades: await path.records('trades', 'binance', symbol) }
}

const ALL = { start: '2010-01-01', end: '2100-01-01', limit: 1 }

function isTrade(line: string): boolean {
  return line.includes('"e":"trade"')
}

function isDepth(line: string): boolean {
  return line.includes('"e":"depthUpdate"')
}

/** Without the names of the instrument. */
function contentOf<T extends Trade | L2Event>({
  id: _id,
  symbol: _s,
  venue_symbol: _v,
  instrument_id: _i,
  ...rest
}: T) {
  return rest
}

function levelsOf({ type, venue_last_id, bids, asks }: L2Event) {
  return { type, venue_last_id, bids, asks }
}

function bookAfter(events: readonly L2Event[]) {
  let book: Record<'bids' | 'asks', readonly (readonly [string, string])[]> = { bids: [], asks: [] }
  const last = events.at(-1)
  replayBook(events, (event, { bids, asks }) => {
    if (event === last) book = { bids: bids.top(100_000), asks: asks.top(100_000) }
  })
  return book
}
