import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { POLICIES } from '@tapeline/contracts/usage/events'
import { LIMIT_NAMES } from '../requests/plan-that-passes.ts'
import type { RecordedCounts, RecordedRequest } from './recorded-request.ts'
import { type LimitValues, NO_LIMIT, RollingLimits } from './rolling-limits.ts'

const CONCURRENCY = POLICIES.indexOf('conc')
const MONTH = POLICIES.indexOf('month')
const DAY = POLICIES.indexOf('day')
const KEY_BITS = POLICIES.length
/** The day's window and one of its cells: after it, nothing from before a disturbance is counted. */
export const MEMORY_MS = 97 * 900_000

/** Limits to replay with, for the requests of one tier. Absent limits stay as recorded. */
export type Proposal = { tier: string; rateLimits: Partial<RateLimits>; fromMs: number }
/** How a request was decided again; `mask` as in the limiter's script: bit n the account's policies, bit n + 6 the key's. */
export type Replayed = {
  isAdmitted: boolean
  mask: number
  /** With the recorded limits: `same`, or the counters were taken from the record after a disturbance, or another result. */
  check: 'same' | 'anchored' | 'degraded' | 'different'
}

/** Counters by the recorded decisions and by the proposed ones, of one list of limits. */
class Pair {
  readonly recorded = new RollingLimits()
  readonly proposed = new RollingLimits()
  /** Counts may include requests without a row: before the period, and after degraded minutes or seeding. */
  disturbedUntilMs: number
  isLimited = false

  constructor(disturbedUntilMs: number) {
    this.disturbedUntilMs = disturbedUntilMs
  }

  /** The first request with these limits. Earlier requests of the month and the windows' seed are not in the rows read. */
  begin({ used }: RecordedCounts, { isAdmitted, timeMs }: RecordedRequest): void {
    this.isLimited = true
    const before = (used[MONTH] ?? 0) - Number(isAdmitted)
    const counted = this.recorded.used(DAY)
    this.recorded.month = before
    this.proposed.month = before
    if (counted > 0) this.disturbedUntilMs = Math.max(this.disturbedUntilMs, timeMs + MEMORY_MS)
  }
}

/** The requests of one account in virtual time, in the order in which they were decided. */
export class AccountReplay {
  private readonly proposal: Proposal
  private readonly account: Pair
  private readonly keys = new Map<string, Pair>()
  private readonly open = new OpenRequests()

  constructor(proposal: Proposal) {
    this.proposal = proposal
    this.account = new Pair(proposal.fromMs)
  }

  decide(request: RecordedRequest): Replayed {
    const pairs = this.pairsOf(request)
    for (const { pair, counts } of pairs) {
      pair.recorded.advance(request.timeMs, request.monthEndMs)
      pair.proposed.advance(request.timeMs, request.monthEndMs)
      if (!pair.isLimited) pair.begin(counts, request)
    }
    const check = this.check(request, pairs)
    const mask = this.proposedMask(request, pairs)
    const isUnchanged = request.isDegraded || request.timeMs < this.proposal.fromMs
    const isAdmitted = isUnchanged ? request.isAdmitted : mask === 0
    this.open.note(request, isAdmitted)
    if (request.isAdmitted) this.addTo(request, 'recorded')
    if (isAdmitted) this.addTo(request, 'proposed')
    return { isAdmitted, mask: isAdmitted ? 0 : isUnchanged ? maskOf(request) : mask, check }
  }

  private pairsOf({ keyId, key, account }: RecordedRequest): Counted[] {
    const own = { pair: this.account, counts: account, bits: 0 }
    const ofKey = this.keys.get(keyId) ?? new Pair(this.proposal.fromMs)
    this.keys.set(keyId, ofKey)
    return key === undefined ? [own] : [own, { pair: ofKey, counts: key, bits: KEY_BITS }]
  }

  /** Decides with the recorded limits and compares everything with the record. */
  private check(request: RecordedRequest, pairs: readonly Counted[]): Replayed['check'] {
    if (request.isDegraded) {
      for (const { pair } of pairs) pair.disturbedUntilMs = request.timeMs + MEMORY_MS
      return 'degraded'
    }
    if (isReproduced(request, pairs)) return 'same'
    const isDisturbed = pairs.some(({ pair }) => request.timeMs < pair.disturbedUntilMs)
    for (const counted of pairs) anchor(counted, request)
    return isDisturbed ? 'anchored' : 'different'
  }

  private proposedMask(request: RecordedRequest, pairs: readonly Counted[]): number {
    let mask = 0
    for (const { pair, counts, bits } of pairs) {
      const limits = bits === 0 ? this.limitsFor(request, counts.limits) : counts.limits
      const open = openBefore(request, counts) + this.open.difference(request, bits === 0 ? undefined : request.keyId)
      mask |= pair.proposed.deniedMask(limits, open) << bits
    }
    return mask
  }

  private limitsFor({ tier, timeMs }: RecordedRequest, recorded: LimitValues): LimitValues {
    const { proposal } = this
    if (tier !== proposal.tier || timeMs < proposal.fromMs) return recorded
    return POLICIES.map((policy, n) => proposal.rateLimits[LIMIT_NAMES[policy]] ?? recorded[n] ?? 0)
  }

  /** Keys are counted whether or not they have limits, so that limits set later find their counts. */
  private addTo({ keyId, timeMs, monthEndMs }: RecordedRequest, side: 'recorded' | 'proposed'): void {
    this.account[side].add()
    const key = this.keys.get(keyId)?.[side]
    key?.advance(timeMs, monthEndMs)
    key?.add()
  }
}

type Counted = { pair: Pair; counts: RecordedCounts; bits: number }

function maskOf({ account, key }: RecordedRequest): number {
  return account.mask | ((key?.mask ?? 0) << KEY_BITS)
}

/** Verdict, policies, waiting time and every count. */
function isReproduced(request: RecordedRequest, pairs: readonly Counted[]): boolean {
  let [mask, wait] = [0, 0]
  for (const { pair, counts, bits } of pairs) {
    if (!isAsRecorded(pair, counts, request)) return false
    const own = pair.recorded.deniedMask(counts.limits, openBefore(request, counts))
    mask |= own << bits
    wait = Math.max(wait, pair.recorded.waitMs(own, counts.limits))
  }
  return mask === maskOf(request) && (request.isAdmitted || Math.ceil(wait) === request.retryAfterMs)
}

/** Leases are not part of the record, only how many there were. */
function openBefore({ isAdmitted }: RecordedRequest, { used }: RecordedCounts): number {
  return (used[CONCURRENCY] ?? 0) - Number(isAdmitted)
}

function isAsRecorded({ recorded }: Pair, { used, limits }: RecordedCounts, { isAdmitted }: RecordedRequest): boolean {
  for (let n = 0; n < CONCURRENCY; n += 1) {
    if (limits[n] !== NO_LIMIT && recorded.used(n) + Number(isAdmitted) !== used[n]) return false
  }
  return true
}

/** Takes the counters from the record: what a degraded minute or a loss of Redis left is not in the rows. */
function anchor({ pair, counts }: Counted, { isAdmitted, timeMs }: RecordedRequest): void {
  for (let n = 0; n < CONCURRENCY; n += 1) {
    if (counts.limits[n] === NO_LIMIT) continue
    const difference = (counts.used[n] ?? 0) - Number(isAdmitted) - pair.recorded.used(n)
    if (difference === 0) continue
    pair.recorded.correct(n, difference)
    pair.proposed.correct(n, difference)
    pair.disturbedUntilMs = Math.max(pair.disturbedUntilMs, timeMs + MEMORY_MS)
  }
}

type Open = { endsMs: number; keyId: string; sign: 1 | -1 }

/**
 * By how much concurrency differs from the recorded one: requests that the replay rejects are not open, and those that it
 * admits although they were rejected are open for as long as the account's answered requests were on average.
 */
class OpenRequests {
  private list: Open[] = []
  private answered = 0
  private openMs = 0

  difference({ timeMs }: RecordedRequest, keyId?: string): number {
    if (this.list.length === 0) return 0
    this.list = this.list.filter(({ endsMs }) => endsMs > timeMs)
    let difference = 0
    for (const open of this.list) if (keyId === undefined || open.keyId === keyId) difference += open.sign
    return difference
  }

  note({ timeMs, openMs, keyId, isAdmitted }: RecordedRequest, isAdmittedNow: boolean): void {
    if (isAdmitted) {
      this.answered += 1
      this.openMs += openMs
      if (!isAdmittedNow) this.list.push({ endsMs: timeMs + openMs, keyId, sign: -1 })
    } else if (isAdmittedNow && this.answered > 0) {
      this.list.push({ endsMs: timeMs + this.openMs / this.answered, keyId, sign: 1 })
    }
  }
}
