import type { KeyRecord } from '@tapeline/contracts/api-key/key-record'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { type AccountPlan, compilePlan } from '../src/limiter/account-plan.ts'
import { Limiter } from '../src/limiter/limiter.ts'
import type { Decision } from '../src/usage/decision.ts'
import { AccountCounters } from '../src/limiter/account-counters.ts'
import { compileCaps, type KeyCaps } from '../src/limiter/key-caps.ts'
import type { LimitQuery, PendingDecision } from '../src/limiter/limiter-call.ts'
import { LimiterMaintenance } from '../src/limiter/limiter-maintenance.ts'
import type { UsageKind } from '../src/limiter/fallback-limiter.ts'
import type { LimiterStore } from '../src/limiter/redis/limiter-store.ts'
import { testTiers } from './tiers.fixture.ts'

const FREE: RateLimits = {
  burstLimit: 1e6,
  requestsPerMinute: 1e6,
  requestsPerHour: 1e6,
  requestsPerDay: 1e6,
  requestsPerMonth: 1e6,
  concurrentRequests: 1e5,
}

const KEY_ID = 'key-of-x'

/** One account, its key with or without caps, and the answers of all gateways: the exact log. */
export class LoggedAccount {
  readonly id: string
  readonly admittedMs: number[] = []
  denied = 0
  readonly plan: AccountPlan
  readonly key: KeyRecord

  constructor(limits: Partial<RateLimits>, caps: KeyRecord['rate_limits'] = null, id: string = crypto.randomUUID()) {
    this.id = id
    const subscription = { version: 1, tier: 'pro', anchor: '2026-01-01T00:00:00Z', trial_ends_at: null } as const
    const rate_limits = { ...FREE, ...limits }
    const record = { account_id: this.id, ...subscription, rate_limits, time_zone: 'UTC' }
    this.plan = compilePlan(record, testTiers, Date.now())
    this.key = {
      kid: 'x',
      key_id: KEY_ID,
      account_id: this.id,
      version: 1,
      secret_sha256: '',
      state: 'active',
      environment: 'live',
      scopes: [],
      networks: [],
      rate_limits: caps,
      expires_at_ms: null,
    }
  }
}

/** The state of one gateway; each gateway keeps its own counts of the caps. */
type CountedState = { counters: AccountCounters; caps: KeyCaps | undefined }

export type LimiterGatewayOptions<Store extends LimiterStore> = {
  store: Store
  /** The number of gateways that share the limits. */
  gatewaysExpected: number
  /** Later replies do not decide. */
  replyWithinMs: number
  testClockMs?: () => string
}

/** Limiter, maintenance and fallback as a gateway has them, for accounts that are in Redis. */
export class LimiterGateway<Store extends LimiterStore> {
  readonly store: Store
  readonly limiter: Limiter
  readonly maintenance: LimiterMaintenance
  private readonly accounts = new Map<LoggedAccount, CountedState>()
  private leases = 0

  constructor({ store, gatewaysExpected, replyWithinMs, testClockMs }: LimiterGatewayOptions<Store>) {
    this.store = store
    const options = { store, logger: silentLogger, epoch: { current: 1 }, replyWithinMs }
    const clock = testClockMs === undefined ? {} : { testClockMs }
    this.limiter = new Limiter({ ...options, ...clock, onUp: () => this.limiter.flush() })
    this.maintenance = new LimiterMaintenance({
      store,
      fetchSeed: async () => undefined,
      logger: silentLogger,
      processTag: crypto.randomUUID(),
      gatewaysExpected,
      isUp: () => this.limiter.connection.isUp,
      connectedSinceMs: () => this.limiter.connection.upSinceMs,
    })
  }

  sendRequest(logged: LoggedAccount, onDecided: (decision: Decision) => void = () => undefined): void {
    const { counters, caps } = this.countersOf(logged)
    const query: LimitQuery = {
      counters,
      plan: logged.plan,
      kid: 'x',
      userVersion: 1,
      subscriptionVersion: 1,
      keyVersion: 1,
      keyId: KEY_ID,
      caps,
      loaded: '',
      keyShadow: undefined,
      purpose: 'count',
    }
    this.limiter.decide(query, this.decision(logged, { counters, caps }, onDecided))
  }

  stop(): void {
    this.limiter.stop()
    void this.maintenance.stop()
    this.store.disconnect()
  }

  /** As admission.ts does it. */
  private decision(
    logged: LoggedAccount,
    { counters, caps }: CountedState,
    onDecision: (decision: Decision) => void,
  ): PendingDecision {
    const { maintenance } = this
    const leaseId = `${(this.leases += 1)}`
    let fallbackAtMs: number | undefined
    const onDecided = (decision: Decision) => {
      if (decision.verdict !== 'admitted') logged.denied += 1
      else logged.admittedMs.push(decision.nowMs)
      if (decision.verdict === 'admitted') this.limiter.release(counters, leaseId)
      onDecision(decision)
    }
    return {
      leaseId,
      onDecided,
      onUnavailable() {
        const nowMs = Date.now()
        const decision = maintenance
          .fallbackOf(counters)
          .decide({ nowMs, plan: logged.plan, kid: 'x', openHere: 0, caps })
        if (decision.verdict === 'admitted') fallbackAtMs = nowMs
        onDecided(decision)
      },
      onLateReply(redisMs: number, kind: UsageKind) {
        maintenance.countedByRedis(counters, { redisMs, kind, kid: 'x', keyId: caps?.keyId ?? '' }, fallbackAtMs)
      },
      onStale: unexpected,
      onUnseeded: unexpected,
    }
  }

  private countersOf(logged: LoggedAccount): CountedState {
    const found = this.accounts.get(logged)
    if (found !== undefined) return found
    const counted = { counters: new AccountCounters(logged.id), caps: compileCaps(logged.key) }
    this.accounts.set(logged, counted)
    return counted
  }
}

function unexpected(): never {
  throw new Error('every version and counter is in Redis here')
}
