import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BookEvent } from './book-event.ts'
import { updatesAfter } from './events-of-book.ts'
import { createOrderBook } from './order-book.ts'
import { createSequencer } from './sequencer.ts'

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

test('the book at a moment contains exactly the events that the sequencer had applied by then', () => {
  fc.assert(
    fc.property(books, fc.integer({ min: 0, max: 10_000 }), (events, offsetMs) => {
      const [opening] = events
      if (opening === undefined) throw new Error('no snapshot')
      const at = BigInt(opening.tsEvent) + BigInt(offsetMs) * 1_000_000n
      const sequencer = createSequencer()
      const applied = byTime(events)
        .flatMap((one) => sequencer.push(one))
        .filter(({ effectiveTs }) => BigInt(effectiveTs) <= at)
      const past = events.filter(({ tsEvent }) => BigInt(tsEvent) <= at)
      const replayed = [opening, ...updatesAfter(opening, past)]
      expect(replayed.map(({ sequence }) => sequence)).toEqual(applied.map(({ event: one }) => one.sequence))
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
