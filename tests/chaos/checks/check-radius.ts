import { check, checkThat, type Check } from '../drill.ts'
import type { Fault } from '../history.ts'
import type { Area, Visit } from '../visits.ts'

/** Which areas of the API a fault may make unavailable, and how soon after its end they respond again. */
export type Radius = { fault: Fault; areas: readonly Area[]; recoverWithinMs: number }

/** Permitted failures of a closed area: unavailable, no answer, timeout. */
const CLOSED = new Set([502, 503, 504])
const FOUND_MAX = 5
/** A response that takes this long counts as a failure that the client noticed. */
const SLOW_MS = 1_000

/**
 * Outside the declared radius nothing fails; inside, failures state their kind and a Retry-After.
 * Where no time is guaranteed, a deadline missed on a busy machine is not a failure.
 */
export function checkRadius(visits: readonly Visit[], radii: readonly Radius[], isTimed: boolean): Check[] {
  const outside = visits.filter((one) => isFailed(one, isTimed) && !isInside(one, radii))
  return [
    check('outside of the declared radius nothing fails', some(outside)),
    ...checkFailures(visits, radii, isTimed),
  ]
}

/** Rejected requests must get an explicit answer of a permitted kind. */
export function checkFailures(visits: readonly Visit[], radii: readonly Radius[], isTimed: boolean): Check[] {
  const failed = visits.filter((one) => isFailed(one, isTimed))
  const hung = failed.filter(({ status }) => status === undefined)
  const odd = failed.filter((one) => isInside(one, radii) && isUnexpected(one))
  return [
    check('every visitor gets an answer', some(hung)),
    check('inside of the radius, failures are 502, 504, or 503 with Retry-After', some(odd)),
  ]
}

function isFailed({ status }: Visit, isTimed: boolean): boolean {
  return status !== 200 && (isTimed || status !== 504)
}

function isUnexpected({ status, retryAfter }: Visit): boolean {
  return status !== undefined && (!CLOSED.has(status) || (status === 503 && !(Number(retryAfter) > 0)))
}

/** A fault that closed nothing proves nothing, and an area without requests is not proven open. */
export function checkFaultVisible(visits: readonly Visit[], radii: readonly Radius[]): Check[] {
  return radii.map(({ fault, areas }) => {
    const during = visits.filter(
      ({ startMs, area }) => areas.includes(area) && startMs > fault.startMs && startMs < fault.endMs,
    )
    const others = visits.filter(
      ({ startMs, area }) => !areas.includes(area) && startMs > fault.startMs && startMs < fault.endMs,
    )
    return checkThat(
      `${fault.what} ${fault.name}: effect at ${areas.join(' and ')}, and other parts were called meanwhile`,
      during.some(isFaultVisible) && others.length > 0,
      `${during.length} visits, statuses ${[...new Set(during.map(({ status }) => status))].join(', ')}; ${others.length} others`,
    )
  })
}

/** How long after the end of a fault the last of its areas was closed; areas closed by a later fault do not count. */
export function recoveryMs(visits: readonly Visit[], radius: Radius, radii: readonly Radius[]): number {
  const { fault, areas } = radius
  const later = radii.filter((one) => one.fault.startMs >= fault.endMs)
  const late = visits.filter(
    (one) =>
      areas.includes(one.area) &&
      one.status !== 200 &&
      one.startMs >= fault.endMs &&
      !later.some((next) => next.areas.includes(one.area) && one.endMs >= next.fault.startMs),
  )
  return Math.max(0, ...late.map(({ endMs }) => endMs - fault.endMs))
}

export function isFaultVisible({ status, startMs, endMs }: Visit): boolean {
  return status !== 200 || endMs - startMs >= SLOW_MS
}

export function isInside({ area, startMs, endMs }: Visit, radii: readonly Radius[]): boolean {
  return radii.some(
    ({ fault, areas, recoverWithinMs }) =>
      areas.includes(area) && endMs >= fault.startMs && startMs <= fault.endMs + recoverWithinMs,
  )
}

function some(visits: readonly Visit[]): string[] {
  return [
    ...visits
      .slice(0, FOUND_MAX)
      .map(
        ({ area, status, code, startMs }) =>
          `${new Date(startMs).toISOString()} ${area}: ${status ?? 'no answer'} ${code ?? ''}`,
      ),
    ...(visits.length > FOUND_MAX ? [`${visits.length} in all`] : []),
  ]
}
