import { SESSION_KEY_ID } from '@tapeline/contracts/usage/events'
import type { AccountPlan } from './account-plan.ts'
import type { Decision } from './decision.ts'
import type { Exchange } from './exchange.ts'
import type { Caller } from './known-account.ts'
import type { KnownRecord } from './known-record.ts'
import { denialOf, presentDecision, retryAfterSeconds } from './limit-headers.ts'
import type { Asker, Purpose, StaleVersions } from './limiter-call.ts'
import { localRefusal } from './local-refusal.ts'
import { accountUnavailable, type Refusal, refusal } from './refusal.ts'

const unknownAccount = refusal('credential.invalid', 'The API key or access token is not valid.')

type AnyRecord = KnownRecord<{ version: number }>

const RELOADS_MAX = 3
/** While Redis is away a record is asked for again after this long … */
const REVERIFY_AFTER_MS = 5_000
/** … and without its owner it may be this old. */
const UNVERIFIED_MAX_MS = 600_000
/** A load that is older than this is no answer to "the version is missing": the process may have been stopped in between. */
const LOADED_BITS_LIFE_MS = 1_000

/** One request on its way through the limiter: records first, then the decision, again after a reload when they were stale. */
export class Admission implements Asker {
  readonly leaseId: string
  private refusal: Refusal | undefined
  private plan: AccountPlan | undefined
  private reloads = 0
  private loadedBits = 0
  private loadedAtMs = 0
  /** When the share admitted this request. */
  private sharedAtMs: number | undefined
  private isCountedByRedis = false
  private readonly records: AnyRecord[]
  private readonly exchange: Exchange
  private readonly caller: Caller
  private readonly onAdmitted: (exchange: Exchange) => void

  constructor(exchange: Exchange, caller: Caller, onAdmitted: (exchange: Exchange) => void) {
    this.exchange = exchange
    this.caller = caller
    this.onAdmitted = onAdmitted
    const { account, key } = caller
    this.records =
      key === undefined ? [account.user, account.subscription] : [account.user, account.subscription, key.record]
    this.leaseId = exchange.isCounted ? exchange.gateway.newLeaseId() : ''
  }

  start(): void {
    const { account, key } = this.caller
    const isReady =
      account.user.isUsable() && account.subscription.isUsable() && (key === undefined || key.record.isUsable())
    if (isReady) this.ask()
    else this.reloadThenAsk(this.records.filter((record) => !record.isUsable()))
  }

  onDecided(decision: Decision): void {
    const { exchange, caller } = this
    const nowMs = performance.now()
    for (const record of this.records) record.agreedMs = nowMs
    exchange.decision = decision
    if (exchange.isCounted && decision.verdict === 'admitted' && this.refusal === undefined) {
      exchange.leaseId = this.leaseId
      exchange.gateway.upkeep.opened(caller.account, this.leaseId)
    }
    if (this.refusal !== undefined) exchange.refuse(this.refusal)
    else if (decision.verdict === 'denied') this.deny(decision)
    else if (exchange.isGone) exchange.clientGone()
    else this.onAdmitted(exchange)
  }

  onStale({ user, subscription, key }: StaleVersions): void {
    const { account, key: knownKey } = this.caller
    const behind: AnyRecord[] = []
    const isBehind = (record: AnyRecord, held: number) => held === -1 || (record.value?.version ?? -1) < held
    if (isBehind(account.user, user)) behind.push(account.user)
    if (isBehind(account.subscription, subscription)) behind.push(account.subscription)
    if (knownKey !== undefined && isBehind(knownKey.record, key)) behind.push(knownKey.record)
    account.user.hear(user)
    account.subscription.hear(subscription)
    knownKey?.record.hear(key)
    this.reloadThenAsk(behind)
  }

  /** Redis has lost this account: everything is asked of the owners, the counters of audit. */
  onUnseeded(): void {
    const { account, key } = this.caller
    const { gateway } = this.exchange
    void this.reload(this.records).then(async (isLoaded) => {
      const plan = isLoaded ? this.compile() : undefined
      const [user, subscription] = [account.user.value, account.subscription.value]
      if (plan === undefined || user === undefined || subscription === undefined) return this.unavailable()
      const isSeeded = await gateway.upkeep.seed(account, plan, {
        user: user.version,
        subscription: subscription.version,
        kid: key?.kid ?? SESSION_KEY_ID,
        key: key?.record.value?.version,
      })
      if (isSeeded) this.ask()
      else this.decideByShare()
    })
  }

  onAway(): void {
    const nowMs = performance.now()
    const old = this.records.filter(({ agreedMs }) => nowMs - agreedMs > REVERIFY_AFTER_MS)
    if (old.length === 0) {
      this.decideByShare()
      return
    }
    void Promise.allSettled(old.map((record) => record.reload(nowMs))).then(() => {
      const isTooOld = old.some(({ agreedMs, value }) => value === undefined || nowMs - agreedMs > UNVERIFIED_MAX_MS)
      if (isTooOld) this.unavailable()
      else this.decideByShare()
    })
  }

  onCountedAfterAll(): void {
    this.isCountedByRedis = true
    this.takeBackFromShare()
  }

  private ask(): void {
    const { exchange, caller } = this
    const { account, key } = caller
    const plan = this.compile()
    const [user, subscription] = [account.user.value, account.subscription.value]
    if (user === undefined || plan === undefined || subscription === undefined) {
      if (user === undefined) this.refuseUncounted(unknownAccount)
      else this.unavailable()
      return
    }
    if (performance.now() - this.loadedAtMs > LOADED_BITS_LIFE_MS) this.loadedBits = 0
    exchange.gateway.limiter.ask(
      {
        account,
        plan,
        kid: key?.kid ?? SESSION_KEY_ID,
        userVersion: user.version,
        subscriptionVersion: subscription.version,
        keyVersion: key?.record.value?.version,
        loadedBits: this.loadedBits,
        purpose: this.purpose(),
      },
      this,
    )
  }

  /** The plan and the local refusal by the records as they are now. */
  private compile(): AccountPlan | undefined {
    const { exchange, caller } = this
    const { gateway, route } = exchange
    const nowMs = gateway.now()
    this.plan = gateway.known.plan(caller.account, nowMs)
    exchange.plan = this.plan
    this.refusal = localRefusal(caller, route?.who ?? 'session', nowMs)
    return this.plan
  }

  private purpose(): Purpose {
    const { isCounted, route } = this.exchange
    if (this.refusal !== undefined) return isCounted ? 'refuse' : 'look'
    if (isCounted) return 'count'
    return route?.pattern === '/api/v1/limits' ? 'report' : 'look'
  }

  private decideByShare(): void {
    const { exchange, caller } = this
    const { gateway } = exchange
    const plan = this.compile()
    if (plan === undefined) {
      this.unavailable()
      return
    }
    const share = gateway.upkeep.shareOf(caller.account)
    const nowMs = gateway.now()
    const kid = caller.key?.kid ?? SESSION_KEY_ID
    if (this.purpose() === 'count') {
      const decision = share.decide({ nowMs, plan, kid, openHere: caller.account.leases.size })
      if (decision.verdict === 'admitted') this.sharedAtMs = nowMs
      this.takeBackFromShare()
      this.onShareDecided(decision)
      return
    }
    const verdict = this.refusal === undefined ? 'admitted' : 'refused'
    this.onShareDecided(share.look(verdict, { nowMs, plan, kid }, this.purpose() === 'refuse'))
  }

  private takeBackFromShare(): void {
    const { account, key } = this.caller
    if (!this.isCountedByRedis || this.sharedAtMs === undefined) return
    account.share?.takeBack(this.sharedAtMs, key?.kid ?? SESSION_KEY_ID)
    this.sharedAtMs = undefined
  }

  /** A share says nothing about the age of records: `agreedMs` stays. */
  private onShareDecided(decision: Decision): void {
    this.exchange.gateway.metrics.degradedDecisions += 1
    const agreed = this.records.map(({ agreedMs }) => agreedMs)
    this.onDecided(decision)
    for (const [n, record] of this.records.entries()) record.agreedMs = agreed[n] ?? record.agreedMs
  }

  private deny(decision: Decision): void {
    const { code, text } = denialOf(decision)
    const headers = ['retry-after', String(retryAfterSeconds(decision))]
    this.exchange.refuse({ code, text, headers, extra: { decision: presentDecision(decision) } })
  }

  private reloadThenAsk(records: AnyRecord[]): void {
    void this.reload(records).then((isLoaded) => {
      if (isLoaded) this.ask()
      else this.unavailable()
    })
  }

  /** Loads begun after this moment; false when an owner does not answer or the request has asked too often. */
  private async reload(records: AnyRecord[]): Promise<boolean> {
    this.reloads += 1
    if (this.reloads > RELOADS_MAX) return false
    const sinceMs = performance.now()
    try {
      await Promise.all(records.map((record) => record.reload(sinceMs)))
    } catch (err) {
      this.exchange.gateway.logger.warn(
        { err, account: this.caller.account.id },
        'a record cannot be had from its owner',
      )
      return false
    }
    this.loadedAtMs = sinceMs
    const { account, key } = this.caller
    if (records.includes(account.user)) this.loadedBits |= 1
    if (records.includes(account.subscription)) this.loadedBits |= 2
    if (key !== undefined && records.includes(key.record)) this.loadedBits |= 4
    return true
  }

  private unavailable(): void {
    this.refuseUncounted(accountUnavailable)
  }

  private refuseUncounted(failure: Refusal): void {
    this.exchange.isCounted = false
    this.exchange.refuse(failure)
  }
}
