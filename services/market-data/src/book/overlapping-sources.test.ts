import type { QuotePage } from '@tapeline/contracts/market-data/quotes'
import { someUser } from '@tapeline/testing/actors'
import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { someL2Event } from '../../test/records.fixture.ts'
import { overlappingSources, type SourceEvent } from '../../test/sources.fixture.ts'
import { registerInstrument } from '../instruments/register-instrument.ts'
import { storeWithLake } from '../lake/sealing/store-late-data.ts'
import { dayStart, NANOSECONDS_MAX } from '../nanoseconds.ts'
import { listQuotes } from '../quotes/list-quotes.ts'
import { createQuoteBuilder } from '../quotes/quote-builder.ts'
import type { L2Record } from '../store/record.ts'
import { createOrderBook } from './order-book.ts'
import { readBook } from './read-book.ts'
import { createSequencer } from './sequencer.ts'
import { storedEvents } from './stored-events.ts'
import { createCheckpointWriter } from './write-checkpoints.ts'

const START = dayStart(19_943)
const SAMPLES = 6
/** A checkpoint is due after ten events of so many levels. */
const LEVELS = Array.from({ length: 400 }, (_value, index) => [String(20 + index), '1'] as const)
/** Turns between two runs of the job that writes checkpoints. */
const TURNS_PER_PASS = 4

let lake: TestLake
beforeAll(async () => {
  lake = await openTestLake()
})
afterAll(() => lake.close())

async function openBook(number: number) {
  const [symbol, base] = [`X${number}-Y`, `X${number}`]
  const spec = { venue: 'sim', sizeUnit: 'base', tsEventPrecision: 'ns', kind: 'spot' } as const
  const instrumentId = await registerInstrument(lake.deps.db, { ...spec, venueSymbol: base, base, quote: 'Y', symbol })
  return { instrumentId, venue: 'sim', symbol }
}

type OpenedBook = Awaited<ReturnType<typeof openBook>>

/** Its bid has a size of its own. */
function recordOf({ ms, type }: SourceEvent, number: number): L2Record {
  const levels = type === 'gap' ? {} : { bids: [['10', String(number)]] as const, asks: LEVELS }
  return someL2Event(`event ${number}`, START + BigInt(ms + 10_000) * 1_000_000n, { type, ...levels })
}

/** Stores the turns while the job writes checkpoints. */
async function storeInTurns({ instrumentId }: OpenedBook, turns: readonly SourceEvent[][]): Promise<void> {
  const write = createCheckpointWriter(lake.deps)
  let number = 0
  for (const [index, turn] of turns.entries()) {
    const l2Events = turn.map((event) => recordOf(event, (number += 1)))
    await storeWithLake(lake.deps, [{ instrumentId, trades: [], l2Events }])
    if (index % TURNS_PER_PASS === TURNS_PER_PASS - 1) await write()
  }
  while ((await write()) > 0);
}

type Quote = [ts: string, sequence: string, bid: string | null]

/** From all events, in the order of their times. */
async function expectedQuotes({ instrumentId, venue }: OpenedBook): Promise<Quote[]> {
  const sequencer = createSequencer()
  const builder = createQuoteBuilder(createOrderBook(venue))
  const range = { order: 'asc', start: 0n, end: NANOSECONDS_MAX, eventsPerRead: 1_000 } as const
  const ready = []
  for await (const event of storedEvents(lake.deps, instrumentId, range)) ready.push(...sequencer.push(event))
  ready.push(...sequencer.release(NANOSECONDS_MAX))
  return ready
    .flatMap((one) => builder.apply(one) ?? [])
    .map(({ tsEvent, sequence, bid }) => [tsEvent, String(sequence), bid?.[1] ?? null])
}

async function listedQuotes({ symbol }: OpenedBook, limit: number, order: 'asc' | 'desc'): Promise<Quote[]> {
  const range = { start: String(START), end: String(START + 3_600_000_000_000n), time_format: 'unix_ns' } as const
  const found: Quote[] = []
  let cursor: string | null = null
  do {
    const body = cursor === null ? { venues: ['sim'], symbols: [symbol], ...range, order, limit } : { cursor }
    const page = JSON.parse((await listQuotes(lake.deps, someUser({ tier: 'pro' }), body, 'r')).json) as QuotePage
    found.push(...page.data.map(({ ts_event, sequence, bid_size }): Quote => [ts_event, sequence, bid_size]))
    cursor = page.next_cursor
  } while (cursor !== null && found.length < 1_000)
  return order === 'asc' ? found : found.toReversed()
}

test.each(
  fc
    .sample(overlappingSources, { seed: PROPERTY_SEED, numRuns: SAMPLES })
    .map((turns, index): [number, SourceEvent[][]] => [index, turns]),
)(
  'books and quotes of any range, order and page size agree while several sources of a book are stored: sample %i',
  async (index, turns) => {
    const of = await openBook(index)
    await storeInTurns(of, turns)
    const quotes = await expectedQuotes(of)
    expect(await listedQuotes(of, 1_000, 'asc')).toEqual(quotes)
    expect(await listedQuotes(of, 3, 'asc')).toEqual(quotes)
    expect(await listedQuotes(of, 3, 'desc')).toEqual(quotes)
    for (const at of new Set(quotes.flatMap(([ts]) => [BigInt(ts) - 1n, BigInt(ts)]))) {
      const { book } = await readBook(lake.deps, of, at)
      const last = quotes.findLast(([ts]) => BigInt(ts) <= at)
      expect([at, book.best().bid?.[1] ?? null]).toEqual([at, last?.[2] ?? null])
    }
  },
)
