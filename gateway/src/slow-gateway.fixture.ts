import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { KeyRecord } from '@tapeline/contracts/api-key/http'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import type { AccountRecord } from '@tapeline/contracts/identity/http'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { type AccountPlan, compilePlan } from './account-plan.ts'
import { Limiter } from './decide-limits.ts'
import type { Decision } from './decision.ts'
import { compileCaps, type KeyCaps } from './key-caps.ts'
import { KnownAccount } from './known-account.ts'
import { KnownRecord } from './known-record.ts'
import type { Asker, Question } from './limiter-call.ts'
import { LimiterUpkeep } from './limiter-upkeep.ts'
import type { UsageKind } from './local-share.ts'
import { SlowWire } from './slow-wire.fixture.ts'
import type { LimiterStore } from './limiter-store.ts'
import { tiersUnderTest } from './tiers-under-test.ts'

export const GATEWAYS = 2
const noOwner = { ask: async () => undefined, epoch: { current: 1 } }
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
  readonly id = crypto.randomUUID()
  readonly admittedMs: number[] = []
  denied = 0
  readonly plan: AccountPlan
  readonly key: KeyRecord

  constructor(limits: Partial<RateLimits>, caps: KeyRecord['rate_limits'] = null) {
    const subscription = { version: 1, tier: 'pro', anchor: '2026-01-01T00:00:00Z', trial_ends_at: null } as const
    const rate_limits = { ...FREE, ...limits }
    const record = { account_id: this.id, ...subscription, rate_limits, time_zone: 'UTC' }
    this.plan = compilePlan(record, tiersUnderTest, Date.now())
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

/** As one gateway has it; counts of caps are kept by each gateway. */
type Known = { account: KnownAccount; caps: KeyCaps | undefined }

/** Limiter, upkeep and share as a gateway has them, behind a slow wire to the real Redis. */
export class SlowGateway {
  readonly wire: SlowWire
  readonly limiter: Limiter
  readonly upkeep: LimiterUpkeep
  private readonly accounts = new Map<LoggedAccount, Known>()
  private leases = 0

  constructor(inner: LimiterStore) {
    this.wire = new SlowWire(inner)
    const options = { store: this.wire, logger: silentLogger, epoch: { current: 1 }, replyWithinMs: 50 }
    this.limiter = new Limiter({ ...options, onUp: () => this.limiter.flush(), testClockMs: () => '0' })
    this.upkeep = new LimiterUpkeep({
      store: this.wire,
      owners: { askSeed: async () => undefined },
      logger: silentLogger,
      processTag: crypto.randomUUID(),
      gatewaysExpected: GATEWAYS,
      isUp: () => this.limiter.connection.isUp,
      wasAwayMs: () => this.limiter.connection.upSinceMs,
    })
  }

  ask(logged: LoggedAccount): void {
    const { account, caps } = this.known(logged)
    const question: Question = {
      account,
      plan: logged.plan,
      kid: 'x',
      userVersion: 1,
      subscriptionVersion: 1,
      keyVersion: 1,
      keyId: KEY_ID,
      caps,
      loaded: '',
      purpose: 'count',
    }
    this.limiter.ask(question, this.asker(logged, { account, caps }))
  }

  stop(): void {
    this.limiter.stop()
    this.upkeep.stop()
    this.wire.disconnect()
  }

  /** As admission.ts does it. */
  private asker(logged: LoggedAccount, { account, caps }: Known): Asker {
    const { upkeep } = this
    const leaseId = `${(this.leases += 1)}`
    let sharedAtMs: number | undefined
    const onDecided = (decision: Decision) => {
      if (decision.verdict !== 'admitted') logged.denied += 1
      else logged.admittedMs.push(decision.nowMs)
      if (decision.verdict === 'admitted') this.limiter.release(account, leaseId)
    }
    return {
      leaseId,
      onDecided,
      onAway() {
        const nowMs = Date.now()
        const decision = upkeep.shareOf(account).decide({ nowMs, plan: logged.plan, kid: 'x', openHere: 0, caps })
        if (decision.verdict === 'admitted') sharedAtMs = nowMs
        onDecided(decision)
      },
      onCountedAfterAll(redisMs: number, kind: UsageKind) {
        upkeep.countedByRedis(account, { redisMs, kind, kid: 'x', keyId: caps?.keyId ?? '' }, sharedAtMs)
      },
      onStale: unexpected,
      onUnseeded: unexpected,
    }
  }

  private known(logged: LoggedAccount): Known {
    const found = this.accounts.get(logged)
    if (found !== undefined) return found
    const [user, subscription] = [new KnownRecord<AccountRecord>(noOwner), new KnownRecord<SubscriptionRecord>(noOwner)]
    const account = new KnownAccount(logged.id, user, subscription)
    const known = { account, caps: compileCaps(logged.key) }
    this.accounts.set(logged, known)
    return known
  }
}

function unexpected(): never {
  throw new Error('Redis knows every version and counter here')
}
