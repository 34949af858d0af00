import { type Check, checkThat } from '../drill.ts'
import type { Asked, Fault } from '../history.ts'

export type Answers = readonly Asked[]

/** The number of responses per status. */
export function countStatuses(asked: Answers): Record<number, number> {
  const answered = asked.filter(({ status }) => status !== undefined)
  return Object.fromEntries(
    [...Map.groupBy(answered, ({ status }) => status ?? 0)].map(([status, list]) => [status, list.length]),
  )
}

/** Only these statuses occur. */
export function checkStatuses(guarantee: string, asked: Answers, allowed: readonly number[]): Check {
  const others = asked.filter(({ status }) => status !== undefined && !allowed.includes(status))
  return checkThat(guarantee, others.length === 0, JSON.stringify(countStatuses(others)))
}

/** A drill without traffic proves nothing. */
export function checkEnough(asked: Answers, least: number): Check {
  const answered = asked.filter(({ status }) => status !== undefined).length
  return checkThat(`there was traffic: at least ${least} answers`, answered >= least, `${answered} answers`)
}

export function checkAllAnswered(asked: Answers): Check {
  const unanswered = asked.filter(({ status }) => status === undefined).length
  return checkThat('every request got an answer', unanswered === 0, `${unanswered} got none`)
}

/** No request that starts after the response to a revocation is admitted, and there was at least one such request. */
export function checkRefusedAfter(asked: Answers, revocation: Fault): Check {
  const later = asked.filter(({ startMs, status }) => startMs > revocation.endMs && status !== undefined)
  const accepted = later.filter(({ status }) => status !== 401)
  return checkThat(
    'no request that started after the revocation was allowed',
    later.length > 0 && accepted.length === 0,
    `${accepted.length} of ${later.length} later ones: ${JSON.stringify(countStatuses(accepted))}`,
  )
}
