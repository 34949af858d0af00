import { POLICIES, type Policy, type ShadowVerdict, type UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { ServedRequest } from '../rollups/roll-up.ts'

const HOUR_MS = 3_600_000

/** What the shadow limits of a proposal, of a tier or of a key, decided in an hour about the requests of a key; times in milliseconds. */
export type ShadowSum = {
  proposal_id: string
  hourMs: number
  account_id: string
  key_id: string
  requests: number
  rejected: number
  would_be_rejected: number
  newly_rejected: number
  newly_admitted: number
  by: Record<Policy, number>
  first: { ms: number; requestId: string; deniedBy: readonly Policy[] } | undefined
  lastMs: number | undefined
  longest_wait_ms: number | null
}

/** Sums in the order of the primary key, so that concurrent transactions cannot deadlock. */
export function sumShadow(requests: readonly ServedRequest[]): ShadowSum[] {
  const sums = new Map<string, ShadowSum>()
  for (const { timeMs, data } of requests) {
    const { shadow, key_shadow: ofKey } = data.decision
    for (const verdict of [shadow, ofKey]) {
      if (verdict === undefined) continue
      const hourMs = timeMs - (timeMs % HOUR_MS)
      const name = `${verdict.proposal}\0${hourMs}\0${data.account_id}\0${data.key_id}`
      const sum = sums.get(name) ?? emptySum(verdict.proposal, hourMs, data)
      sums.set(name, sum)
      add(sum, verdict, timeMs, data)
    }
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

function emptySum(proposal: string, hourMs: number, { account_id, key_id }: UsageRequestServed): ShadowSum {
  return {
    proposal_id: proposal,
    hourMs,
    account_id,
    key_id,
    requests: 0,
    rejected: 0,
    would_be_rejected: 0,
    newly_rejected: 0,
    newly_admitted: 0,
    by: { burst: 0, min: 0, hour: 0, day: 0, month: 0, conc: 0 },
    first: undefined,
    lastMs: undefined,
    longest_wait_ms: null,
  }
}

function add(
  sum: ShadowSum,
  { denied_by: deniedBy, retry_after_ms: waitMs }: ShadowVerdict,
  timeMs: number,
  { decision, request_id: requestId }: UsageRequestServed,
): void {
  const isRejected = decision.verdict === 'denied'
  sum.requests += 1
  sum.rejected += Number(isRejected)
  if (deniedBy.length === 0) {
    sum.newly_admitted += Number(isRejected)
    return
  }
  sum.would_be_rejected += 1
  sum.newly_rejected += Number(!isRejected)
  for (const policy of POLICIES) sum.by[policy] += Number(deniedBy.includes(policy))
  if (sum.first === undefined || timeMs < sum.first.ms) sum.first = { ms: timeMs, requestId, deniedBy }
  sum.lastMs = Math.max(sum.lastMs ?? timeMs, timeMs)
  if (waitMs !== undefined) sum.longest_wait_ms = Math.max(sum.longest_wait_ms ?? 0, waitMs)
}
