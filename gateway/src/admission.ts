import { SESSION_KEY_ID } from '@tapeline/contracts/usage/events'
import type { AccountPlan } from './account-plan.ts'
import { CallerRecords } from './caller-records.ts'
import type { Decision } from './decision.ts'
import type { Exchange } from './exchange.ts'
import type { Caller } from './known-account.ts'
import { denialOf, presentDecision, retryAfterSeconds } from './limit-headers.ts'
import type { Asker, Purpose, StaleVersions, Unseeded } from './limiter-call.ts'
import { localRefusal } from './local-refusal.ts'
import type { ShareRequest, UsageKind } from './local-share.ts'
import { accountUnavailable, type Refusal, refusal } from './refusal.ts'

const unknownAccount = refusal('credential.invalid', 'The API key or access token is not valid.')

const KEY_SEEDS_MAX = 3

/** One request on its way through the limiter: records first, then the decision, again after a reload when they were stale. */
export class Admission implements Asker {
  readonly leaseId: string
  private refusal: Refusal | undefined
  private plan: AccountPlan | undefined
  private keySeeds = 0
  /** When the share admitted this request. */
  private sharedAtMs: number | undefined
  /** Redis has counted this request, but its reply came too late. */
  private late: { redisMs: number; kind: UsageKind } | undefined
  private isDecidedByShare = false
  private readonly records: CallerRecords
  private readonly exchange: Exchange
  private readonly caller: Caller
  private readonly onAdmitted: (exchange: Exchange) => void

  constructor(exchange: Exchange, caller: Caller, onAdmitted: (exchange: Exchange) => void) {
    this.exchange = exchange
    this.caller = caller
    this.onAdmitted = onAdmitted
    this.records = new CallerRecords(caller, exchange.gateway.logger)
    this.leaseId = exchange.isCounted ? exchange.gateway.newLeaseId() : ''
  }

  start(): void {
    if (this.records.areUsable()) this.ask()
    else this.askAfter(this.records.reloadUnusable())
  }

  onDecided(decision: Decision): void {
    const { exchange, caller } = this
    if (!decision.isDegraded) this.records.agree()
    exchange.decision = decision
    if (exchange.isCounted && decision.verdict === 'admitted' && this.refusal === undefined) {
      exchange.leaseId = this.leaseId
      exchange.gateway.upkeep.opened(caller.account, this.leaseId, caller.key?.caps)
    }
    if (this.refusal !== undefined) exchange.refuse(this.refusal)
    else if (decision.verdict === 'denied') this.deny(decision)
    else if (exchange.isGone) exchange.clientGone()
    else this.onAdmitted(exchange)
  }

  onStale(versions: StaleVersions): void {
    this.askAfter(this.records.reloadBehind(versions))
  }

  /** Redis has lost this account, or knows nothing of the key by itself: the counters are asked of audit. */
  onUnseeded(unseeded: Unseeded): void {
    if (unseeded.what === 'account') this.reloadThenSeed(unseeded.ticket)
    else void this.seedKey().then((isSeeded) => (isSeeded ? this.ask() : this.decideByShare()))
  }

  onAway(): void {
    const isRecent = this.records.isRecentEnough()
    if (isRecent === true) this.decideByShare()
    else
      void Promise.resolve(isRecent).then((isStillRecent) =>
        isStillRecent ? this.decideByShare() : this.unavailable(),
      )
  }

  onCountedAfterAll(redisMs: number, kind: UsageKind): void {
    this.late = { redisMs, kind }
    this.settleLateReply()
  }

  /** Of a lost account everything is asked of the owners as well. */
  private reloadThenSeed(ticket: number): void {
    const { account, key } = this.caller
    const { gateway } = this.exchange
    void this.records.reloadAll().then(async (isLoaded) => {
      const plan = isLoaded ? this.compile() : undefined
      const [user, subscription] = [account.user.value, account.subscription.value]
      if (plan === undefined || user === undefined || subscription === undefined) return this.unavailable()
      const versions = {
        user: user.version,
        subscription: subscription.version,
        kid: key?.kid ?? SESSION_KEY_ID,
        key: key?.record.value?.version,
        ticket,
      }
      const seeded = await Promise.all([gateway.upkeep.seed(account, plan, versions), this.seedKey()])
      if (seeded.every(Boolean)) this.ask()
      else this.decideByShare()
    })
  }

  private async seedKey(): Promise<boolean> {
    const { account, key } = this.caller
    if (key?.caps === undefined) return true
    this.keySeeds += 1
    if (this.keySeeds > KEY_SEEDS_MAX || this.plan === undefined) return false
    return this.exchange.gateway.upkeep.seedKey(account, this.plan, key.caps)
  }

  private ask(): void {
    const { exchange, caller } = this
    const { account } = caller
    const plan = this.compile()
    const [user, subscription] = [account.user.value, account.subscription.value]
    if (user === undefined || plan === undefined || subscription === undefined) {
      if (user === undefined) this.refuseUncounted(unknownAccount)
      else this.unavailable()
      return
    }
    const versions = { userVersion: user.version, subscriptionVersion: subscription.version }
    exchange.gateway.limiter.ask({ account, plan, ...versions, ...this.ofKey(), purpose: this.purpose() }, this)
  }

  private ofKey() {
    const { key } = this.caller
    const loaded = this.records.loaded()
    if (key === undefined) return { kid: SESSION_KEY_ID, keyVersion: undefined, keyId: '', caps: undefined, loaded }
    const record = key.record.value
    return { kid: key.kid, keyVersion: record?.version, keyId: record?.key_id ?? '', caps: key.caps, loaded }
  }

  /** The plan and the local refusal by the records as they are now. */
  private compile(): AccountPlan | undefined {
    const { exchange, caller } = this
    const { gateway, route } = exchange
    const nowMs = gateway.now()
    this.plan = gateway.known.plan(caller.account, nowMs)
    exchange.plan = this.plan
    this.refusal = localRefusal(caller, route, exchange.address, nowMs)
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
    const purpose = this.purpose()
    const request = this.shareRequest(plan)
    if (purpose === 'count') {
      const decision = share.decide(request)
      if (decision.verdict === 'admitted') this.sharedAtMs = request.nowMs
      this.onShareDecided(decision)
    } else if (purpose === 'report') this.onShareDecided(share.report(request))
    else {
      const verdict = this.refusal === undefined ? 'admitted' : 'refused'
      this.onShareDecided(share.look(verdict, request, purpose === 'refuse'))
    }
  }

  private shareRequest(plan: AccountPlan): ShareRequest {
    const { account, key } = this.caller
    return {
      nowMs: this.exchange.gateway.now(),
      plan,
      kid: key?.kid ?? SESSION_KEY_ID,
      openHere: account.leases.open.size,
      caps: key?.caps,
      openOfKey: key?.caps?.leases?.open.size ?? 0,
    }
  }

  /** A reply may come before the share has decided: then it counts once it has. */
  private settleLateReply(): void {
    if (this.late === undefined || !this.isDecidedByShare) return
    const { account, key } = this.caller
    const names = { kid: key?.kid ?? SESSION_KEY_ID, keyId: key?.caps?.keyId ?? '' }
    this.exchange.gateway.upkeep.countedByRedis(account, { ...this.late, ...names }, this.sharedAtMs)
    this.late = undefined
  }

  /** A share says nothing about the age of records. */
  private onShareDecided(decision: Decision): void {
    this.exchange.gateway.metrics.degradedDecisions += 1
    this.isDecidedByShare = true
    this.settleLateReply()
    this.onDecided(decision)
  }

  private deny(decision: Decision): void {
    const { code, text, scope } = denialOf(decision)
    const headers = ['retry-after', String(retryAfterSeconds(decision))]
    this.exchange.refuse({ code, text, headers, extra: { scope, decision: presentDecision(decision) } })
  }

  private askAfter(reload: Promise<boolean>): void {
    void reload.then((isLoaded) => (isLoaded ? this.ask() : this.unavailable()))
  }

  private unavailable(): void {
    this.refuseUncounted(accountUnavailable)
  }

  private refuseUncounted(failure: Refusal): void {
    this.exchange.isCounted = false
    this.exchange.refuse(failure)
  }
}
