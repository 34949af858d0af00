import { check, type Check, checkThat } from '../drill.ts'

export type CountingEvidence = {
  /** Request ids of complete responses to counted requests. */
  answered: readonly string[]
  /** Request ids of 503s: requests that could not be decided or recorded are rejected without being counted. */
  maybeCounted: readonly string[]
  /** Requests without a complete response, and those in progress during a kill. */
  unanswered: number
  inFlight: number
  /** Request ids of audit's rows. */
  rows: readonly string[]
  repeatedIds: number
  /** Roll-ups that are not the sums of their rows, and the number of requests of each level. */
  mismatches: number
  rolledUp: Readonly<Record<string, number>>
  /** Requests that the limiter counted; undefined if Redis lost some. */
  cells: number | undefined
  /** The number on the dashboard. */
  shown: number
}

const NAMED_MAX = 5

/**
 * Definition of "exact": clients, limiter, rows, roll-ups and dashboard agree, except for requests interrupted by a
 * kill.
 */
export function checkCounting(evidence: CountingEvidence): Check[] {
  const { answered, maybeCounted, unanswered, inFlight, rows, repeatedIds, cells, shown } = evidence
  const recorded = new Set(rows)
  const answeredIds = new Set(answered)
  const missing = [...answeredIds].filter((id) => !recorded.has(id))
  const beyond = [...recorded].filter((id) => !answeredIds.has(id) && !maybeCounted.includes(id)).length
  const cutMax = Math.min(unanswered, inFlight)
  return [
    checkThat(
      'every fully answered request has a row',
      missing.length === 0,
      `${missing.length} of ${answeredIds.size} have none: ${missing.slice(0, NAMED_MAX).join(', ')}`,
    ),
    checkThat(
      'no request and no event is stored twice',
      recorded.size === rows.length && answeredIds.size === answered.length && repeatedIds === 0,
      `${rows.length - recorded.size} rows too many, ${repeatedIds} event ids repeated, ${answered.length - answeredIds.size} answers with one id`,
    ),
    checkRollUps(evidence),
    checkThat(
      'rows without an answer were in flight at a kill',
      beyond <= cutMax,
      `${beyond} rows, but ${cutMax} requests were cut short`,
    ),
    checkThat(
      'all requests counted by the limiter have a row, except those in flight at a kill',
      cells === undefined || Math.abs(cells - rows.length) <= inFlight,
      `${cells} counted, ${rows.length} rows, ${inFlight} in flight`,
    ),
    checkThat('the dashboard shows the rows', shown === rows.length, `${shown} shown, ${rows.length} rows`),
  ]
}

function checkRollUps({ rows, mismatches, rolledUp }: CountingEvidence): Check {
  const wrongLevels = Object.entries(rolledUp).filter(([, requests]) => requests !== rows.length)
  return check('the roll-ups are the sums of the rows', [
    ...wrongLevels.map(([level, requests]) => `${level}: ${requests} of ${rows.length} requests`),
    ...(mismatches === 0 ? [] : [`${mismatches} buckets differ from their rows`]),
  ])
}
