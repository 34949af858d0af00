import { type Check, checkThat, type Size } from '../drill.ts'
import type { ClientRequest, Fault } from '../history.ts'

export type Answers = readonly ClientRequest[]

/** The number of responses per status. */
export function countStatuses(requests: Answers): Record<number, number> {
  const answered = requests.filter(({ status }) => status !== undefined)
  return Object.fromEntries(
    [...Map.groupBy(answered, ({ status }) => status ?? 0)].map(([status, list]) => [status, list.length]),
  )
}

/** On a machine that is busy with tests, a service may miss the deadline of a request; that is counted all the same. */
export function servedStatuses({ isTimed }: Pick<Size, 'isTimed'>): readonly number[] {
  return isTimed ? [200] : [200, 504]
}

/** Only these statuses occur. */
export function checkStatuses(guarantee: string, requests: Answers, allowed: readonly number[]): Check {
  const others = requests.filter(({ status }) => status !== undefined && !allowed.includes(status))
  return checkThat(guarantee, others.length === 0, JSON.stringify(countStatuses(others)))
}

/** A drill without traffic proves nothing. */
export function checkEnough(requests: Answers, least: number): Check {
  const answered = requests.filter(({ status }) => status !== undefined).length
  return checkThat(`there was traffic: at least ${least} answers`, answered >= least, `${answered} answers`)
}

export function checkAllAnswered(requests: Answers): Check {
  const unanswered = requests.filter(({ status }) => status === undefined).length
  return checkThat('every request got an answer', unanswered === 0, `${unanswered} got none`)
}

/** A service that is briefly unavailable allows nothing. */
const UNAVAILABLE = [503, 504]

/** No request that starts after the response to a revocation is admitted, and at least one is rejected. */
export function checkRefusedAfter(requests: Answers, revocation: Fault): Check {
  const later = requests.filter(({ startMs, status }) => startMs > revocation.endMs && status !== undefined)
  const accepted = later.filter(({ status = 0 }) => status !== 401 && !UNAVAILABLE.includes(status))
  return checkThat(
    'no request that started after the revocation was allowed',
    later.some(({ status }) => status === 401) && accepted.length === 0,
    `${accepted.length} of ${later.length} later ones: ${JSON.stringify(countStatuses(accepted))}`,
  )
}
