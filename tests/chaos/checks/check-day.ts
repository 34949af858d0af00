import { isFaultVisible, isInside, type Radius } from './check-radius.ts'
import { type Check, checkThat } from '../drill.ts'
import type { Planned } from '../drills/day-plan.ts'
import type { ClientRequest, Fault } from '../history.ts'
import type { Visit } from '../visits.ts'

const UNAFFECTED_MIN = 0.999
/** A short outage of a database is not always noticed; a day in which most faults had no effect proves nothing. */
const EFFECTIVE_MIN = 0.5
/** A timer may fire a little before its time. */
const EARLY_MS = 5

export type DayEvidence = { visits: readonly Visit[]; requests: readonly ClientRequest[]; radii: readonly Radius[] }

/** Checks the guarantee for callers outside every radius, and that the faults had an effect. */
export function checkDay({ visits, requests, radii }: DayEvidence): {
  checks: Check[]
  figures: Record<string, number>
} {
  // Visits of the area `data` are part of the requests by key.
  const all: Visit[] = [
    ...visits.filter(({ area }) => area !== 'data'),
    ...requests.map((one) => ({ ...one, area: 'data' as const })),
  ]
  const unaffected = all.filter((one) => !isInside(one, radii))
  const failed = unaffected.filter(({ status }) => status !== 200)
  const share = 1 - failed.length / unaffected.length
  const closing = radii.filter(({ areas }) => areas.length > 0)
  const effective = closing.filter(({ fault, areas }) =>
    visits.some(
      (one) =>
        areas.includes(one.area) && one.startMs > fault.startMs && one.startMs < fault.endMs && isFaultVisible(one),
    ),
  )
  return {
    checks: [
      checkThat(
        `unaffected callers were served: at least ${UNAFFECTED_MIN}`,
        share >= UNAFFECTED_MIN,
        `${failed.length} of ${unaffected.length} were not: ${describe(failed)}`,
      ),
      checkThat(
        'most faults that close an area of the API had an effect there',
        effective.length >= EFFECTIVE_MIN * closing.length,
        `${effective.length} of ${closing.length}`,
      ),
    ],
    figures: {
      unaffected: unaffected.length,
      unaffectedServed: unaffected.length - failed.length,
      effective: effective.length,
    },
  }
}

/** The faults match the seed: same kinds and order, none too early, each for its duration. */
export function checkAsPlanned(faults: readonly Fault[], plan: readonly Planned[], beganMs: number): Check {
  const wrong = plan.flatMap(({ injection, atMs, lastsMs }, n) => {
    const fault = faults[n]
    const expected = `${n + 1}. ${injection.what} ${injection.name} at ${atMs} ms for ${lastsMs} ms`
    if (fault === undefined) return [`${expected}: did not happen`]
    const [startedAfterMs, lastedMs] = [fault.startMs - beganMs, fault.endMs - fault.startMs]
    const isSame = fault.what === injection.what && fault.name === injection.name
    const isInTime = startedAfterMs >= atMs - EARLY_MS && lastedMs >= lastsMs - EARLY_MS
    return isSame && isInTime
      ? []
      : [`${expected}: was ${fault.what} ${fault.name} at ${startedAfterMs} ms for ${lastedMs} ms`]
  })
  const others = faults.length > plan.length ? [`${faults.length - plan.length} that were not planned`] : []
  return {
    guarantee: 'the faults match the plan of the seed, so that the run can be repeated',
    broken: [...wrong, ...others],
  }
}

function describe(failed: readonly Visit[]): string {
  const kinds = Map.groupBy(failed, ({ area, status, code }) => `${area} ${status ?? 'no answer'} ${code ?? ''}`.trim())
  return [...kinds].map(([kind, list]) => `${list.length} × ${kind}`).join(', ')
}
