import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { refOf } from '../../../test/lake/file-in-memory.fixture.ts'
import { someL2Event, someTrade } from '../../../test/records.fixture.ts'
import { dayStart } from '../../nanoseconds.ts'
import { SIDE_LETTERS, SIDE_SOURCE_LETTERS } from '../../store/copy-queries.ts'
import type { L2Record, TradeRecord } from '../../store/record.ts'
import type { ChannelName } from '../../tables.ts'
import type { FileRow } from '../files/layout.ts'
import type { WrittenFile } from '../files/write-file.ts'
import { buildFile, storedRows } from './build-file.ts'
import { type DayRecords, encodeDay } from './encode-day.ts'
import { createEncoder } from './encoder.ts'
import { eventLines } from './event-lines.ts'
import { tradeChunk } from './trade-chunk.ts'

const DAY = 19_943
const START = dayStart(DAY)
const PORTION = 7

const decimal = fc.oneof(
  fc.integer({ min: 1, max: 9_999 }).map((units) => String(units / 100)),
  fc.constantFrom('0', '-1.5', '0.000000001', '123456789012345678', '1234567890.123456789012', '5'),
)
const trade = fc
  .record({
    at: fc.integer({ min: 0, max: 12 }),
    id: fc.oneof(fc.integer({ min: 1, max: 20 }).map(String), fc.constantFrom('a7', '01', '', 'row:1\t\\')),
    price: decimal,
    size: decimal,
    side: fc.constantFrom('buy', 'sell', 'unknown'),
    latency: fc.constantFrom(0n, 0n, 5n, -3n),
    conditions: fc.constantFrom<string[]>([], [], ['x'], ['y', 'z']),
  })
  .map(({ at, id, latency, ...fields }) =>
    someTrade(id, START + BigInt(at), { ...fields, tsRecv: String(START + BigInt(at) + latency) }),
  )
const l2Event = fc
  .record({
    at: fc.integer({ min: 0, max: 12 }),
    id: fc.integer({ min: 1, max: 20 }).map(String),
    type: fc.constantFrom('snapshot', 'update', 'update', 'gap'),
  })
  .map(({ at, id, type }) => someL2Event(id, START + BigInt(at), { type }))

/** Numbers rows as the store does: the first row of each time and id is kept; sequences follow the order of arrival. */
function expectedTrades(records: readonly TradeRecord[]): FileRow[] {
  return inFileOrder(
    unique(records).map((one, index) => [
      String(index + 1),
      one.tsEvent,
      one.tsRecv,
      String(one.flags),
      SIDE_LETTERS[one.side],
      SIDE_SOURCE_LETTERS[one.sideSource],
      one.hasTradeId ? 't' : 'f',
      one.price,
      one.size,
      one.sourceId,
      one.conditions.length === 0 ? null : one.conditions.join(' '),
    ]),
  )
}

function unique<T extends { tsEvent: string; sourceId: string }>(records: readonly T[]): T[] {
  const seen = new Set<string>()
  return records.filter(({ tsEvent, sourceId }) => {
    const key = `${tsEvent} ${sourceId}`
    return !seen.has(key) && seen.add(key)
  })
}

function inFileOrder(rows: FileRow[]): FileRow[] {
  const keyOf = (row: FileRow) => BigInt(row[1] ?? '') * 1_000n + BigInt(row[0] ?? '')
  return rows.toSorted((one, other) => Number(keyOf(one) - keyOf(other)))
}

function portions<T>(records: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(records.length / PORTION) }, (_value, at) =>
    records.slice(at * PORTION, (at + 1) * PORTION),
  )
}

function tradesOf(records: readonly TradeRecord[]): DayRecords {
  return { channel: 'trade', chunks: portions(records).map((one) => tradeChunk(one, DAY)) }
}

function eventsOf(records: readonly L2Record[]): DayRecords {
  return { channel: 'l2_event', chunks: portions(records).map(eventLines) }
}

function fileOf(channel: ChannelName, file: WrittenFile) {
  return { ref: refOf(channel, file), bytes: file.bytes }
}

test('trades in any order become the file that their rows would', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(trade, { minLength: 1, maxLength: 60 }), async (records) => {
      const expected = expectedTrades(records)
      const input = { day: DAY, records: tradesOf(records), stored: undefined, lastSequence: 0n, bookEpoch: 0 }
      const { file, counts, added } = await encodeDay(input)
      expect(file?.sha256).toBe((await buildFile('trade', () => expected)).sha256)
      expect(added).toBe(expected.length)
      const sequences = expected.map(([sequence]) => Number(sequence))
      expect(counts).toEqual({
        row_count: String(expected.length),
        ts_min: expected[0]?.[1],
        ts_max: expected.at(-1)?.[1],
        sequence_min: String(Math.min(...sequences)),
        sequence_max: String(Math.max(...sequences)),
      })
    }),
    { seed: PROPERTY_SEED, numRuns: 100 },
  )
})

test.each(['trade', 'l2_event'] as const)('%s: a day in two parts has the rows of a day in one', async (channel) => {
  const both = fc.tuple(
    fc.array(trade, { minLength: 1, maxLength: 40 }),
    fc.array(l2Event, { minLength: 1, maxLength: 40 }),
  )
  await fc.assert(
    fc.asyncProperty(both, fc.nat(), async ([trades, l2Events], cut) => {
      const count = channel === 'trade' ? trades.length : l2Events.length
      const at = 1 + (cut % count)
      const encode = (from: number, to: number, before: Partial<Parameters<typeof encodeDay>[0]> = {}) => {
        const records = channel === 'trade' ? tradesOf(trades.slice(from, to)) : eventsOf(l2Events.slice(from, to))
        return encodeDay({ day: DAY, records, stored: undefined, lastSequence: 0n, bookEpoch: 0, ...before })
      }
      const whole = await encode(0, count)
      const first = await encode(0, at)
      if (first.file === undefined) throw new Error('the first part has no file')
      const stored = fileOf(channel, first.file)
      const more = await encode(at, count, { stored, lastSequence: BigInt(first.added), bookEpoch: first.epochs })
      expect(first.added + more.added).toBe(whole.added)
      expect(first.epochs + more.epochs).toBe(whole.epochs)
      expect([...first.gaps, ...more.gaps]).toEqual(whole.gaps)
      expect((more.file ?? first.file).sha256).toBe(whole.file?.sha256)
      const again = await encode(0, count, { stored: whole.file && fileOf(channel, whole.file) })
      expect(again).toMatchObject({ file: undefined, added: 0, epochs: 0 })
    }),
    { seed: PROPERTY_SEED, numRuns: 40 },
  )
})

test('book events are numbered by arrival, and every event but an update begins an epoch', async () => {
  const records = [
    someL2Event('1', START + 5n, { type: 'snapshot' }),
    someL2Event('2', START + 3n),
    someL2Event('1', START + 5n, { type: 'gap' }),
    someL2Event('3', START + 9n, { type: 'gap' }),
  ]
  const input = { day: DAY, records: eventsOf(records), stored: undefined, lastSequence: 10n, bookEpoch: 2 }
  const { file, gaps } = await encodeDay(input)
  if (file === undefined) throw new Error('there is no file')
  const rows = await storedRows('l2_event', fileOf('l2_event', file))
  expect(rows.map((row) => [row[0], row[4], row[5], row[9]])).toEqual([
    ['12', 'u', '3', '2'],
    ['11', 's', '3', '1'],
    ['13', 'g', '4', '3'],
  ])
  expect(gaps).toMatchObject([{ sequence: '13', reason: 'update_ids_missing' }])
})

test('the thread returns the records that it received, and continues after rows that failed', async () => {
  const encoder = createEncoder()
  const records = tradesOf(Array.from({ length: 30 }, (_value, at) => someTrade(String(at + 1), START + BigInt(at))))
  const input = { day: DAY, records, stored: undefined, lastSequence: 0n, bookEpoch: 0 }
  const first = await encoder.encodeDay(input)
  await expect(
    encoder.encodeRows('trade', async function* () {
      yield Buffer.from('1\t2\n')
      throw new Error('the connection is lost')
    }),
  ).rejects.toThrow('the connection is lost')
  const broken = async function* () {
    yield Buffer.from('not a row\n')
  }
  await expect(encoder.encodeRows('trade', broken)).rejects.toThrow()
  const second = await encoder.encodeDay(input)
  expect(second.file?.sha256).toBe(first.file?.sha256)
  expect(first).toMatchObject({ added: 30 })
})
