import {
  SHADOW_DAYS_DEFAULT,
  SHADOW_DAYS_MAX,
  type ShadowedAccount,
  type ShadowReport,
  type ShadowReportQuery,
} from '@tapeline/contracts/audit/shadow'
import { POLICIES } from '@tapeline/contracts/usage/events'
import type { Deps } from '../deps.ts'
import { readTime, wrongPeriod } from '../lists/read-time.ts'
import {
  listShadowAccounts,
  listShadowHours,
  type ShadowAccountRow,
  type ShadowHourRow,
  type ShadowPeriod,
  totalShadow,
} from './shadow-queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const ACCOUNTS_MAX = 500

/**
 * What the shadow limits of a proposal decided in a period, extended to whole hours.
 * @throws AppError when the period is invalid
 */
export async function showShadowReport(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  proposal: string,
  query: ShadowReportQuery,
): Promise<ShadowReport> {
  const period = { proposal, ...readPeriod(query, now().getTime()) }
  const total = await totalShadow(db, period)
  const hours = await listShadowHours(db, period)
  const rows = await listShadowAccounts(db, period, ACCOUNTS_MAX)
  return {
    proposal,
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    accounts: Number(total.accounts),
    accounts_affected: Number(total.accounts_affected),
    ...countsOf(total),
    hours: hours.map(presentHour),
    rows: rows.map(presentAccount),
  }
}

export function presentHour({ at, requests, would_be_rejected }: ShadowHourRow) {
  return { at: at.toISOString(), requests: Number(requests), would_be_rejected: Number(would_be_rejected) }
}

export function readPeriod({ from, to }: ShadowReportQuery, nowMs: number): Omit<ShadowPeriod, 'proposal'> {
  const toMs = Math.ceil((to === undefined ? nowMs : readTime('/to', to).getTime()) / HOUR_MS) * HOUR_MS
  const given = from === undefined ? toMs - SHADOW_DAYS_DEFAULT * DAY_MS : readTime('/from', from).getTime()
  const fromMs = Math.floor(given / HOUR_MS) * HOUR_MS
  if (fromMs >= toMs) throw wrongPeriod('/to', 'The period must end after it begins.')
  if (toMs - fromMs > SHADOW_DAYS_MAX * DAY_MS) {
    throw wrongPeriod('/from', `The period can be at most ${SHADOW_DAYS_MAX} days long.`)
  }
  return { from: new Date(fromMs), to: new Date(toMs) }
}

function presentAccount(row: ShadowAccountRow): ShadowedAccount {
  const { account_id, keys } = row
  return {
    account_id,
    ...countsOf(row),
    ...presentDenials(row),
    keys: keys.filter(({ would_be_rejected }) => would_be_rejected > 0),
  }
}

export function presentDenials(row: ShadowAccountRow): Pick<ShadowedAccount, 'policies' | 'first' | 'last_at'> {
  const { first_at, first_request_id, first_denied_by, last_at } = row
  const policies = POLICIES.map((policy) => ({ policy, requests: Number(row[`by_${policy}`]) }))
  return {
    policies: policies.filter(({ requests }) => requests > 0),
    first:
      first_at === null || first_request_id === null
        ? null
        : { at: first_at.toISOString(), request_id: first_request_id, policies: first_denied_by ?? [] },
    last_at: last_at?.toISOString() ?? null,
  }
}

type Counts = Pick<
  ShadowAccountRow,
  'requests' | 'rejected' | 'would_be_rejected' | 'newly_rejected' | 'newly_admitted' | 'longest_wait_ms'
>

export function countsOf({ longest_wait_ms, ...counts }: Counts) {
  const { requests, rejected, would_be_rejected, newly_rejected, newly_admitted } = counts
  return {
    requests: Number(requests),
    rejected: Number(rejected),
    would_be_rejected: Number(would_be_rejected),
    newly_rejected: Number(newly_rejected),
    newly_admitted: Number(newly_admitted),
    longest_wait_ms: longest_wait_ms === null ? null : Number(longest_wait_ms),
  }
}
