import { showsFault, isInside, type Radius } from './check-radius.ts'
import { type Check, checkThat } from '../drill.ts'
import type { Planned } from '../drills/day-plan.ts'
import type { Asked, Fault } from '../history.ts'
import type { Visit } from '../visits.ts'

const UNAFFECTED_MIN = 0.999
/** A short outage of a database is not always noticed; a day in which most faults had no effect proves nothing. */
const EFFECTIVE_MIN = 0.5
/** A timer may fire a little before its time. */
const EARLY_MS = 5

export type DayEvidence = { visits: readonly Visit[]; asked: readonly Asked[]; radii: readonly Radius[] }

/** Checks the guarantee for callers outside every radius, and that the faults had an effect. */
export function checkDay({ visits, asked, radii }: DayEvidence): { checks: Check[]; figures: Record<string, number> } {
  // Visits of the door `data` are part of the requests by key.
  const all: Visit[] = [
    ...visits.filter(({ door }) => door !== 'data'),
    ...asked.map((one) => ({ ...one, door: 'data' as const })),
  ]
  const unaffected = all.filter((one) => !isInside(one, radii))
  const failed = unaffected.filter(({ status }) => status !== 200)
  const share = 1 - failed.length / unaffected.length
  const closing = radii.filter(({ doors }) => doors.length > 0)
  const effective = closing.filter(({ fault, doors }) =>
    visits.some(
      (one) => doors.includes(one.door) && one.startMs > fault.startMs && one.startMs < fault.endMs && showsFault(one),
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
        'faults that close a door had an effect there, most of them',
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
  const wrong = plan.flatMap(({ misfortune, atMs, lastsMs }, n) => {
    const fault = faults[n]
    const wanted = `${n + 1}. ${misfortune.what} ${misfortune.name} at ${atMs} ms for ${lastsMs} ms`
    if (fault === undefined) return [`${wanted}: did not happen`]
    const [cameMs, tookMs] = [fault.startMs - beganMs, fault.endMs - fault.startMs]
    const isSame = fault.what === misfortune.what && fault.name === misfortune.name
    const isInTime = cameMs >= atMs - EARLY_MS && tookMs >= lastsMs - EARLY_MS
    return isSame && isInTime ? [] : [`${wanted}: was ${fault.what} ${fault.name} at ${cameMs} ms for ${tookMs} ms`]
  })
  const others = faults.length > plan.length ? [`${faults.length - plan.length} that were not planned`] : []
  return { guarantee: 'the day was as its seed says, so that it can be had again', broken: [...wrong, ...others] }
}

function describe(failed: readonly Visit[]): string {
  const kinds = Map.groupBy(failed, ({ door, status, code }) => `${door} ${status ?? 'no answer'} ${code ?? ''}`.trim())
  return [...kinds].map(([kind, list]) => `${list.length} × ${kind}`).join(', ')
}
