import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { overlappingSources, source, type SourceEvent, sourcesOfDifferentDays } from '../../test/sources.fixture.ts'
import { compareNanoseconds, NANOSECONDS_MAX } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'
import { eventsUntil } from './events-until.ts'
import { createOrderBook } from './order-book.ts'
import { createSequencer, DISPLACED_NS, type SequencedEvent } from './sequencer.ts'

const START_MS = 1_000_000
const MS_NS = 1_000_000n
const MOMENT_MS = fc.integer({ min: 0, max: 20_000 })

const ofOneSource = source.map((events) => numbered([events]))
const overlapping = overlappingSources.map(numbered)
const ofDifferentDays = sourcesOfDifferentDays.map(numbered)

/** As stored in turns. */
function numbered(turns: readonly SourceEvent[][]): BookEvent[] {
  return turns
    .flat()
    .map(({ ms, type }, index) => event(BigInt(index + 1), String(BigInt(START_MS + ms) * MS_NS), type))
}

function event(sequence: bigint, tsEvent: string, type: BookEvent['type']): BookEvent {
  const bids = [[String(sequence), '1']] as const
  return { tsEvent, tsRecv: tsEvent, sequence, bookEpoch: 1, type, bids, asks: [], depthLimit: null, gap: null }
}

function byTime(events: readonly BookEvent[]): BookEvent[] {
  return events.toSorted(
    (one, other) => compareNanoseconds(one.tsEvent, other.tsEvent) || Number(one.sequence - other.sequence),
  )
}

/** As a replay of all events has them. */
function sequenced(events: readonly BookEvent[], sequencer = createSequencer()): SequencedEvent[] {
  const applied = byTime(events).flatMap((one) => sequencer.push(one))
  return [...applied, ...sequencer.release(NANOSECONDS_MAX)]
}

const placesOf = (applied: readonly SequencedEvent[]) =>
  applied.map(({ event: { sequence }, effectiveTs }) => ({ effectiveTs, sequence }))

test('the events of a source are applied in its order, each once, at the greatest time up to it', () => {
  fc.assert(
    fc.property(ofOneSource, (events) => {
      let last = 0n
      const expected = events.map(({ sequence, tsEvent }) => {
        if (BigInt(tsEvent) > last) last = BigInt(tsEvent)
        return { effectiveTs: String(last), sequence }
      })
      expect(placesOf(sequenced(events))).toEqual(expected)
    }),
    { seed: PROPERTY_SEED },
  )
})

test.each([
  ['overlapping', overlapping],
  ['of different days', ofDifferentDays],
])('the events of several sources are all applied, each once, in the order of time and sequence: %s', (_name, some) => {
  fc.assert(
    fc.property(some, (events) => {
      const applied = sequenced(events)
      expect(new Set(applied.map((one) => one.event))).toEqual(new Set(events))
      expect(applied).toHaveLength(events.length)
      const sorted = applied.toSorted(
        (one, other) =>
          compareNanoseconds(one.effectiveTs, other.effectiveTs) || Number(one.event.sequence - other.event.sequence),
      )
      expect(applied).toEqual(sorted)
      const delays = applied.map((one) => BigInt(one.effectiveTs) - BigInt(one.event.tsEvent))
      expect(delays.every((delay) => delay >= 0n && delay <= DISPLACED_NS)).toBe(true)
    }),
    { seed: PROPERTY_SEED },
  )
})

test('events wait for their predecessor for at most 5 seconds', () => {
  fc.assert(
    fc.property(overlapping, (events) => {
      const sequencer = createSequencer()
      for (const one of byTime(events)) {
        sequencer.push(one)
        expect(sequencer.isWaiting(BigInt(one.tsEvent) - DISPLACED_NS - 1n)).toBe(false)
      }
      sequencer.release(NANOSECONDS_MAX)
      expect(sequencer.waiting()).toEqual([])
    }),
    { seed: PROPERTY_SEED },
  )
})

test('sources of different days have the same times when their events come in the order of their sequences', () => {
  fc.assert(
    fc.property(ofDifferentDays, (events) => {
      const sequencer = createSequencer()
      const live = events.flatMap((one) => [...sequencer.push(one), ...sequencer.release(NANOSECONDS_MAX)])
      const places = placesOf(sequenced(events)).toSorted((one, other) => Number(one.sequence - other.sequence))
      expect(placesOf(live)).toEqual(places)
    }),
    { seed: PROPERTY_SEED },
  )
})

test.each([
  ['one source', ofOneSource],
  ['overlapping sources', overlapping],
  ['sources of different days', ofDifferentDays],
])('a replay that begins 10 seconds earlier has the events after a moment at the same times: %s', (_name, some) => {
  fc.assert(
    fc.property(some, MOMENT_MS, (events, offsetMs) => {
      const at = BigInt(START_MS + offsetMs) * MS_NS
      const isAfter = (one: SequencedEvent) => BigInt(one.effectiveTs) > at
      const recent = events.filter(({ tsEvent }) => BigInt(tsEvent) >= at - 2n * DISPLACED_NS)
      expect(placesOf(sequenced(recent).filter(isAfter))).toEqual(placesOf(sequenced(events).filter(isAfter)))
    }),
    { seed: PROPERTY_SEED },
  )
})

test.each([
  ['one source', ofOneSource],
  ['overlapping sources', overlapping],
  ['sources of different days', ofDifferentDays],
])('a replay that continues from a moment applies each event as one of all events: %s', async (_name, some) => {
  await fc.assert(
    fc.asyncProperty(some, MOMENT_MS, async (events, offsetMs) => {
      const at = BigInt(START_MS + offsetMs) * MS_NS
      const isUntil = ({ tsEvent }: BookEvent) => BigInt(tsEvent) <= at
      const [past, later] = [byTime(events).filter(isUntil), byTime(events).filter((one) => !isUntil(one))]
      const following = later.filter(({ tsEvent }) => BigInt(tsEvent) <= at + DISPLACED_NS)
      const { applied, awaited } = await eventsUntil(createSequencer(), { events: past, at, following })
      const continued = sequenced([...awaited, ...later])
      expect(placesOf([...applied, ...continued])).toEqual(placesOf(sequenced(events)))
    }),
    { seed: PROPERTY_SEED },
  )
})

test('a book of a venue that sends no removals is cut to its depth, best levels first', () => {
  const snapshot = {
    ...event(1n, '1', 'snapshot'),
    bids: [
      ['9', '1'],
      ['8', '1'],
    ] as const,
    depthLimit: 2,
  }
  const better = { ...event(2n, '2', 'update'), bids: [['10', '1']] as const }
  const cut = createOrderBook('kraken')
  const whole = createOrderBook('binance')
  for (const one of [snapshot, better]) {
    cut.apply(one)
    whole.apply(one)
  }
  expect(cut.top(9).bids.map(([price]) => price)).toEqual(['10', '9'])
  expect(whole.top(9).bids.map(([price]) => price)).toEqual(['10', '9', '8'])
})

test('updates before a snapshot or after a gap change nothing', () => {
  const book = createOrderBook('sim')
  expect(book.apply(event(1n, '1', 'update'))).toBe(false)
  expect(book.status()).toBe('empty')
  book.apply(event(2n, '2', 'snapshot'))
  book.apply({ ...event(3n, '3', 'gap'), bids: [], gap: { reason: 'update_ids_missing', fromTs: '2' } })
  expect(book.apply(event(4n, '4', 'update'))).toBe(false)
  expect([book.status(), book.best().bid, book.gap()?.reason]).toEqual(['unknown', undefined, 'update_ids_missing'])
  book.apply(event(5n, '5', 'clear'))
  expect(book.status()).toBe('known')
})
