import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NANOSECONDS_MAX } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'
import { createOrderBook } from './order-book.ts'
import { createSequencer, DISPLACED_NS } from './sequencer.ts'
import { updatesUntil } from './updates-until.ts'

const EVENTS_MAX = 30
const START_MS = 1_000_000

/** A book of one epoch: a snapshot, then updates whose times stray by up to a second from their order. */
const books = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: -1_000, max: 1_000 })), {
    minLength: 1,
    maxLength: EVENTS_MAX,
  })
  .map((steps) => {
    let ms = START_MS
    return steps.map(([step, stray], index): BookEvent => {
      ms += step
      const time = String((BigInt(ms) + BigInt(index === 0 ? 0 : stray)) * 1_000_000n)
      return event(BigInt(index + 1), time, index === 0 ? 'snapshot' : 'update')
    })
  })

function event(sequence: bigint, tsEvent: string, type: BookEvent['type']): BookEvent {
  const bids = [[String(sequence), '1']] as const
  return { tsEvent, tsRecv: tsEvent, sequence, bookEpoch: 1, type, bids, asks: [], depthLimit: null, gap: null }
}

function byTime(events: readonly BookEvent[]): BookEvent[] {
  return events.toSorted(
    (one, other) => Number(BigInt(one.tsEvent) - BigInt(other.tsEvent)) || Number(one.sequence - other.sequence),
  )
}

test('events delivered in time order are applied in sequence order, each once, at times that never decrease', () => {
  fc.assert(
    fc.property(books, (events) => {
      const sequencer = createSequencer()
      const applied = byTime(events).flatMap((one) => sequencer.push(one))
      expect(applied.map(({ event: one }) => one.sequence)).toEqual(events.map(({ sequence }) => sequence))
      const times = applied.map(({ effectiveTs }) => BigInt(effectiveTs))
      expect(times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0n))).toBe(true)
    }),
    { seed: PROPERTY_SEED },
  )
})

/** The same with the sequences of other events between some of the updates. */
const interleaved = fc
  .tuple(books, fc.array(fc.integer({ min: 0, max: 3 }), { minLength: EVENTS_MAX, maxLength: EVENTS_MAX }))
  .map(([events, holes]) => {
    let taken = 0n
    return events.map((one, index) => {
      taken += BigInt(index === 0 ? 0 : (holes[index] ?? 0))
      return { ...one, sequence: one.sequence + taken }
    })
  })

test('events between which older ones were imported are all applied, each once, at times that never decrease', () => {
  fc.assert(
    fc.property(interleaved, (events) => {
      const sequencer = createSequencer()
      const applied = byTime(events).flatMap((one) => {
        const ready = sequencer.push(one)
        const now = BigInt(one.tsEvent)
        expect(sequencer.waiting().every(({ tsEvent }) => now - BigInt(tsEvent) <= DISPLACED_NS)).toBe(true)
        return ready
      })
      applied.push(...sequencer.release(NANOSECONDS_MAX))
      expect(applied).toHaveLength(events.length)
      expect(new Set(applied.map(({ event: one }) => one.sequence))).toEqual(new Set(events.map((one) => one.sequence)))
      expect(sequencer.waiting()).toEqual([])
      const times = applied.map(({ effectiveTs }) => BigInt(effectiveTs))
      expect(times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0n))).toBe(true)
    }),
    { seed: PROPERTY_SEED },
  )
})

test.each([
  ['one batch', books],
  ['batches between which others were stored', interleaved],
])(
  'the book at a moment contains exactly the events that the sequencer had applied by then: %s',
  async (_name, some) => {
    await fc.assert(
      fc.asyncProperty(some, fc.integer({ min: 0, max: 10_000 }), async (events, offsetMs) => {
        const [opening] = events
        if (opening === undefined) throw new Error('no snapshot')
        const at = BigInt(opening.tsEvent) + BigInt(offsetMs) * 1_000_000n
        const whole = createSequencer()
        const applied = byTime(events).flatMap((one) => whole.push(one))
        applied.push(...whole.release(NANOSECONDS_MAX))
        const sorted = byTime(events.slice(1))
        const { updates } = await updatesUntil(createSequencer({ ...opening, opening }), {
          events: sorted.filter(({ tsEvent }) => BigInt(tsEvent) <= at),
          at,
          following: sorted.filter(({ tsEvent }) => BigInt(tsEvent) > at && BigInt(tsEvent) <= at + DISPLACED_NS),
        })
        expect([opening, ...updates].map(({ sequence }) => sequence)).toEqual(
          applied.filter(({ effectiveTs }) => BigInt(effectiveTs) <= at).map(({ event: one }) => one.sequence),
        )
      }),
      { seed: PROPERTY_SEED },
    )
  },
)

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
