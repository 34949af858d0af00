import fc from 'fast-check'
import type { L2Type } from '../src/store/record.ts'

/** One event of a source; `ms` since an epoch of the test. */
export type SourceEvent = { ms: number; type: L2Type }

const EVENTS_MAX = 30
const TURNS_MAX = 20
const DAY_MS = 86_400_000

/** A minute between some events, as in a quiet book. */
const STEP_MS = fc.oneof(
  { weight: 19, arbitrary: fc.integer({ min: 0, max: 600 }) },
  { weight: 1, arbitrary: fc.constant(60_000) },
)
const STRAY_MS = fc.integer({ min: -1_000, max: 1_000 })

/** A snapshot and updates, whose times stray by up to a second from their order. */
export const source: fc.Arbitrary<SourceEvent[]> = fc
  .array(fc.tuple(STEP_MS, STRAY_MS), { minLength: 1, maxLength: EVENTS_MAX })
  .map((steps) => {
    let ms = 0
    return steps.map(([step, strayMs], index) => {
      ms += step
      return index === 0 ? { ms, type: 'snapshot' } : { ms: ms + strayMs, type: 'update' }
    })
  })

const turns = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 8 })), { minLength: 1, maxLength: TURNS_MAX })

/** Three sources of one book whose events are stored in turns; some turns begin with another snapshot or a gap. */
function inTurns(offsetsMs: fc.Arbitrary<readonly number[]>): fc.Arbitrary<SourceEvent[][]> {
  return fc.tuple(fc.tuple(source, source, source), offsetsMs, turns).map(([sources, offsets, parts]) => {
    const rest = sources.map((events, index) =>
      events.map(({ ms, type }) => ({ ms: ms + (offsets[index] ?? 0), type })),
    )
    return parts
      .map(([number, count], turn) =>
        (rest[number] ?? []).splice(0, count).map((event, index) => ({ ...event, type: typeOf(event, index, turn) })),
      )
      .filter((events) => events.length > 0)
  })
}

function typeOf({ type }: SourceEvent, index: number, turn: number): L2Type {
  if (index > 0 || turn % 3 !== 2) return type
  return turn % 2 === 0 ? 'snapshot' : 'gap'
}

const OFFSET_MS = fc.integer({ min: 0, max: 8_000 })

/** As when a recording of some minutes is imported that a connector has stored too. */
export const overlappingSources = inTurns(fc.tuple(OFFSET_MS, OFFSET_MS, OFFSET_MS))

/** As when older days are imported while a connector stores live events. */
export const sourcesOfDifferentDays = inTurns(fc.constant([2 * DAY_MS, DAY_MS, 0]))
