import type { Refusals, ReplayResult } from '@tapeline/contracts/audit/replay'
import { POLICIES, type Policy } from '@tapeline/contracts/usage/events'
import type { RecordedRequest } from './recorded-request.ts'
import type { Replayed } from './replay-account.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const ROWS_MAX = 500

type AccountSums = Omit<Refusals, 'days' | 'policies'> & { dayNumbers: Set<number>; mask: number }

/** Sums of a replay's results, added request by request. */
export class ReplaySums {
  private readonly accounts: AccountSums[] = []
  private readonly hours = new Map<number, { requests: number; rejected: number }>()
  private readonly check = { same: 0, anchored: 0, degraded: 0, different: 0 }
  private readonly highest = POLICIES.map(() => 0)
  private newlyAdmitted = 0
  private ownLimits = 0

  /** Sums of one account, which are part of the result from its first request on. */
  ofAccount(accountId: string): (request: RecordedRequest, again: Replayed) => void {
    const sums = { account_id: accountId, requests: 0, rejected: 0, would_be_rejected: 0, newly_rejected: 0 }
    const account: AccountSums = { ...sums, first: null, dayNumbers: new Set(), mask: 0 }
    this.accounts.push(account)
    return (request, again) => {
      this.check[again.check] += 1
      account.requests += 1
      this.noteUse(request)
      if (!request.isAdmitted) account.rejected += 1
      if (again.isAdmitted && !request.isAdmitted) this.newlyAdmitted += 1
      const hour = Math.floor(request.timeMs / HOUR_MS)
      const inHour = this.hours.get(hour) ?? { requests: 0, rejected: 0 }
      this.hours.set(hour, inHour)
      inHour.requests += 1
      if (again.isAdmitted) return
      inHour.rejected += 1
      noteRejection(account, request, again)
    }
  }

  private noteUse({ account: { used } }: RecordedRequest): void {
    for (const [n, count] of used.entries()) this.highest[n] = Math.max(this.highest[n] ?? 0, count)
  }

  countOwnLimits(): void {
    this.ownLimits += 1
  }

  result(): ReplayResult {
    const rows = this.accounts
      .map(({ dayNumbers, mask, ...sums }): Refusals => ({
        ...sums,
        policies: policiesOf(mask),
        days: dayNumbers.size,
      }))
      .toSorted((a, b) => b.newly_rejected - a.newly_rejected || b.would_be_rejected - a.would_be_rejected)
    const total = (count: (row: Refusals) => number) => rows.reduce((sum, row) => sum + count(row), 0)
    return {
      accounts: rows.length,
      accounts_affected: rows.filter((row) => row.newly_rejected > 0).length,
      requests: total((row) => row.requests),
      rejected: total((row) => row.rejected),
      would_be_rejected: total((row) => row.would_be_rejected),
      newly_rejected: total((row) => row.newly_rejected),
      newly_admitted: this.newlyAdmitted,
      check: this.check,
      accounts_with_own_limits: this.ownLimits,
      highest: highestOf(this.highest),
      hours: [...this.hours]
        .toSorted(([a], [b]) => a - b)
        .map(([hour, { requests, rejected }]) => ({
          at: new Date(hour * HOUR_MS).toISOString(),
          requests,
          would_be_rejected: rejected,
        })),
      rows: rows.slice(0, ROWS_MAX),
    }
  }
}

function highestOf([
  burstLimit = 0,
  requestsPerMinute = 0,
  requestsPerHour = 0,
  requestsPerDay = 0,
  requestsPerMonth = 0,
  concurrentRequests = 0,
]: readonly number[]): NonNullable<ReplayResult['highest']> {
  return { burstLimit, requestsPerMinute, requestsPerHour, requestsPerDay, requestsPerMonth, concurrentRequests }
}

function noteRejection(account: AccountSums, request: RecordedRequest, { mask }: Replayed): void {
  account.would_be_rejected += 1
  account.mask |= mask
  if (!request.isAdmitted) return
  account.newly_rejected += 1
  account.dayNumbers.add(Math.floor(request.timeMs / DAY_MS))
  const at = new Date(request.timeMs).toISOString()
  account.first ??= { at, request_id: request.requestId, policies: policiesOf(mask) }
}

/** Policies of the account and of the key, each once. */
function policiesOf(mask: number): Policy[] {
  return POLICIES.filter((_policy, n) => ((mask | (mask >> POLICIES.length)) & (1 << n)) !== 0)
}
