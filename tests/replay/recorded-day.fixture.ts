import { randomUUIDv7 } from 'node:crypto'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import type { KeyLimits } from '@tapeline/contracts/api-key/http'
import type { KeyRecord } from '@tapeline/contracts/api-key/key-record'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { ShadowConfig } from '@tapeline/contracts/config/shadow-limits'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import type { Tier } from '@tapeline/contracts/actor'
import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { accountWithSeededKey, KEY_ID, redis } from '../../gateway/test/limiter-scripts.fixture.ts'
import { AccountCounters } from '../../gateway/src/limiter/account-counters.ts'
import { type AccountPlan, compilePlan } from '../../gateway/src/limiter/account-plan.ts'
import { compileCaps, compileKeyShadow, type KeyCaps, type KeyShadow } from '../../gateway/src/limiter/key-caps.ts'
import { type LimiterCall, scriptArguments, settlePending } from '../../gateway/src/limiter/limiter-call.ts'
import { scripts } from '../../gateway/src/limiter/scripts/scripts.ts'
import type { Decision } from '../../gateway/src/usage/decision.ts'
import { usageLines } from '../../gateway/src/usage/usage-event.ts'

export const DAY_MS = 86_400_000
export const FROM_MS = Date.UTC(2023, 10, 14, 6)
export const LIMITS = {
  burstLimit: 4,
  requestsPerMinute: 30,
  requestsPerHour: 400,
  requestsPerDay: 1_500,
  requestsPerMonth: 2_400,
  concurrentRequests: 3,
}

export type RecordedEvent = Event<UsageRequestServed>
type Caller = { tier: Tier; limits: RateLimits; isKeyLimited: boolean }

const lineOf = usageLines('gw-recorded')
const CAPS = { requestsPerMinute: 5, requestsPerHour: 60 }

/**
 * An account's requests as the gateway decides and records them: its own arguments, the real script in Redis with a clock
 * of the test, and its own event lines.
 */
export class RecordedAccount {
  readonly id: string
  readonly events: RecordedEvent[] = []
  /** Shadow limits, decided in addition to the caller's limits. */
  shadow: ShadowConfig = {}
  /** Limits proposed for the key that has limits of its own, and evaluated in addition to them. */
  keyShadow: KeyShadow | undefined
  private readonly counters: AccountCounters
  private readonly caps: KeyCaps
  private readonly plans = new Map<string, AccountPlan>()
  /** Leases by the time at which their request ends. */
  private open: { leaseId: string; endsMs: number }[] = []

  private constructor(id: string) {
    this.id = id
    this.counters = new AccountCounters(id)
    const caps = compileCaps(recordOf(id))
    if (caps === undefined) throw new Error('no caps')
    this.caps = caps
  }

  static async create(): Promise<RecordedAccount> {
    const { id, keys } = await accountWithSeededKey()
    await redis.hset(keys[0], { 'k:y': '1' })
    return new RecordedAccount(id)
  }

  propose(proposal: string, caps: KeyLimits): void {
    const record = { ...recordOf(this.id), shadow_limits: { id: proposal, rate_limits: caps } }
    this.keyShadow = compileKeyShadow(record, this.caps)
  }

  /** Requests that arrive together at a gateway: one call of the script. */
  async send(nowMs: number, count: number, caller: Caller, openMs: number): Promise<void> {
    const plan = this.planOf(caller, nowMs)
    await this.release(nowMs)
    const decisions: Decision[] = []
    const call: LimiterCall = {
      query: {
        counters: this.counters,
        plan,
        kid: kidOf(caller),
        userVersion: 1,
        subscriptionVersion: 1,
        keyVersion: 1,
        keyId: keyOf(caller),
        caps: caller.isKeyLimited ? this.caps : undefined,
        keyShadow: caller.isKeyLimited ? this.keyShadow : undefined,
        loaded: '',
        purpose: 'count',
      },
      pending: Array.from({ length: count }, () => pending(decisions)),
    }
    const [keys, ...rest] = scriptArguments(call, String(nowMs))
    const reply: unknown = await redis.evalsha(scripts.decide.sha, keys, ...rest)
    settlePending(call, Array.isArray(reply) ? reply.map(Number) : [])
    for (const [n, decision] of decisions.entries()) {
      const leaseId = call.pending[n]?.leaseId ?? ''
      if (decision.verdict === 'admitted') this.open.push({ leaseId, endsMs: nowMs + openMs })
      this.record(decision, caller, openMs)
    }
  }

  /** Requests during an outage of Redis: decided by a share, and added to the windows afterwards. */
  async sendDegraded(timesMs: readonly number[], mergedMs: number, caller: Caller): Promise<void> {
    const plan = this.planOf(caller, timesMs[0] ?? 0)
    for (const nowMs of timesMs) {
      const decision = { verdict: 'admitted', isDegraded: true, nowMs, deniedMask: 0, retryAfterMs: 0 } as const
      const counts = { used: [1, 1, 1, 1, 1, 1], resetMs: [1, 1, 1, 1, plan.month.endS * 1_000 - nowMs, 0] }
      this.record({ ...decision, ...counts, limits: plan.limits, key: undefined }, caller, 5)
    }
    const cells = timesMs.flatMap((nowMs) =>
      [100, 1_000, 60_000, 900_000].flatMap((ms, n) => [n + 1, Math.floor(nowMs / ms), 1]),
    )
    const { account, rings, usage } = this.counters.keys
    const argv = [
      randomUUIDv7(),
      plan.month.startS,
      timesMs.length,
      0,
      mergedMs,
      timesMs[0] ?? 0,
      cells.length,
      ...cells,
    ]
    await redis.evalsha(scripts.merge.sha, 4, account, rings, `merged:{${this.id}}:test`, usage, ...argv)
  }

  private record(decision: Decision, caller: Caller, openMs: number): void {
    const line = lineOf({
      accountId: this.id,
      keyId: keyOf(caller),
      kid: kidOf(caller),
      tier: caller.tier,
      method: 'POST',
      route: '/api/v1/trades/list',
      status: decision.verdict === 'admitted' ? 200 : 429,
      outcome: decision.verdict === 'admitted' ? 'ok' : 'denied',
      code: decision.verdict === 'admitted' ? null : 'limit.minute_exceeded',
      rejectedFields: undefined,
      decision,
      latencyUs: decision.verdict === 'admitted' ? openMs * 1_000 : 200,
      upstreamLatencyUs: null,
      bytesIn: 1,
      bytesOut: 1,
      rowsReturned: null,
      requestId: randomUUIDv7().replaceAll('-', ''),
      network: '192.0.2.0/24',
    })
    const event: RecordedEvent = JSON.parse(line.slice(line.indexOf('{')))
    this.events.push(event)
  }

  private planOf({ tier, limits }: Caller, nowMs: number): AccountPlan {
    const name = `${tier} ${JSON.stringify(limits)} ${JSON.stringify(this.shadow)}`
    const cached = this.plans.get(name)
    if (cached !== undefined && nowMs < cached.validUntilMs) return cached
    const record: SubscriptionRecord = {
      account_id: this.id,
      version: 1,
      tier,
      anchor: '2023-01-15T00:00:00.000Z',
      trial_ends_at: null,
      rate_limits: null,
      time_zone: 'UTC',
    }
    const document = { ...tierDocuments[tier], rateLimits: limits }
    const plan = compilePlan(record, { ...tierDocuments, [tier]: document }, nowMs, this.shadow)
    this.plans.set(name, plan)
    return plan
  }

  private async release(nowMs: number): Promise<void> {
    const ended = this.open.filter(({ endsMs }) => endsMs <= nowMs).map(({ leaseId }) => leaseId)
    this.open = this.open.filter(({ endsMs }) => endsMs > nowMs)
    if (ended.length === 0) return
    await redis.zrem(this.counters.leases.key, ...ended)
  }
}

function recordOf(accountId: string): KeyRecord {
  return {
    kid: 'x',
    key_id: KEY_ID,
    account_id: accountId,
    version: 1,
    secret_sha256: '',
    state: 'active',
    environment: 'live',
    scopes: [],
    networks: [],
    rate_limits: CAPS,
    expires_at_ms: null,
  }
}

/** Two keys: only the first has its own limits. */
const keyOf = ({ isKeyLimited }: Caller): string => (isKeyLimited ? KEY_ID : 'key-of-y')
const kidOf = ({ isKeyLimited }: Caller): string => (isKeyLimited ? 'x' : 'y')

function pending(decisions: Decision[]): LimiterCall['pending'][number] {
  const fail = () => {
    throw new Error('not decided')
  }
  return {
    leaseId: randomUUIDv7(),
    onDecided: (decision) => decisions.push(decision),
    onStale: fail,
    onUnseeded: fail,
    onUnavailable: fail,
    onLateReply: fail,
  }
}

/** Two days across the end of a month: bursts, pauses, a change of tier and limits, and a key with its own limits. */
export async function recordTwoDays(withOutage: boolean): Promise<RecordedAccount> {
  const account = await RecordedAccount.create()
  let [now, seed] = [FROM_MS - DAY_MS - 900_000, 7]
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  let isOut = withOutage
  while (now < FROM_MS + DAY_MS) {
    now += random(4) === 0 ? random(300_000) : random(1_200)
    const isLarger = now > FROM_MS + 8 * 3_600_000
    const limits = isLarger ? { ...LIMITS, burstLimit: 6, requestsPerMinute: 60 } : LIMITS
    const caller = { tier: isLarger ? 'pro' : 'basic', limits, isKeyLimited: random(2) === 0 } as const
    await account.send(now, 1 + random(5), caller, random(800))
    if (isOut && now > FROM_MS + 2 * 3_600_000) {
      isOut = false
      const times = Array.from({ length: 40 }, (_, n) => now + 1_000 + n * 1_500)
      await account.sendDegraded(times, now + 62_000, { ...caller, isKeyLimited: false })
      now += 65_000
    }
  }
  return account
}
