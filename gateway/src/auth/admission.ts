import { SESSION_KEY_ID } from '@tapeline/contracts/usage/events'
import type { Logger } from '@tapeline/service/logger'
import type { AccountCache } from '../account-cache/account-cache.ts'
import type { AccountPlan } from '../limiter/account-plan.ts'
import { authorizationFailure, type AuthorizedRequest } from './authorization-failure.ts'
import type { Caller } from '../account-cache/cached-account.ts'
import { CallerRecords } from '../account-cache/caller-records.ts'
import type { Decision } from '../usage/decision.ts'
import type { FallbackLimiter, FallbackRequest, UsageKind } from '../limiter/fallback-limiter.ts'
import type { GatewayMetrics } from '../operations/gateway-metrics.ts'
import type { Leases } from '../limiter/leases.ts'
import { denialOf, presentDecision, retryAfterSeconds } from '../limiter/limit-headers.ts'
import type { Limiter } from '../limiter/limiter.ts'
import type { PendingDecision, Purpose, StaleVersions, Unseeded } from '../limiter/limiter-call.ts'
import type { LimiterMaintenance } from '../limiter/limiter-maintenance.ts'
import { accountUnavailable, newProblem, type Problem } from '../problems/problem.ts'

export type AdmissionDeps = {
  accounts: AccountCache
  limiter: Limiter
  maintenance: LimiterMaintenance
  leases: Leases
  metrics: GatewayMetrics
  logger: Logger
  /** Milliseconds since 1970. */
  now: () => number
}

/** The part of a request that its admission reads and decides. */
export type RequestToAdmit = AuthorizedRequest & {
  isCounted: boolean
  plan: AccountPlan | undefined
  decision: Decision | undefined
  leaseId: string
  readonly response: {
    readonly isGone: boolean
    sendProblem: (problem: Problem) => void
    clientDisconnected: () => void
  }
}

const unknownAccount = newProblem('credential.invalid', 'The API key or access token is not valid.')

const KEY_SEEDS_MAX = 3
const SESSION = { kid: SESSION_KEY_ID, keyVersion: undefined, keyId: '', caps: undefined, keyShadow: undefined }

/**
 * Admits one authenticated request: loads its records, decides, and decides again after a reload when they were stale.
 */
export class Admission<R extends RequestToAdmit> implements PendingDecision {
  readonly leaseId: string
  private failure: Problem | undefined
  private plan: AccountPlan | undefined
  private keySeeds = 0
  /** When the fallback limiter admitted this request. */
  private fallbackAtMs: number | undefined
  /** Redis has counted this request, but its reply came late. */
  private late: { redisMs: number; kind: UsageKind } | undefined
  private isDecidedByFallback = false
  private readonly records: CallerRecords
  private readonly deps: AdmissionDeps
  private readonly request: R
  private readonly caller: Caller
  private readonly onAdmitted: (request: R) => void

  constructor(deps: AdmissionDeps, request: R, caller: Caller, onAdmitted: (request: R) => void) {
    this.deps = deps
    this.request = request
    this.caller = caller
    this.onAdmitted = onAdmitted
    this.records = new CallerRecords(caller, deps.logger)
    this.leaseId = request.isCounted ? deps.leases.newId() : ''
  }

  start(): void {
    if (this.records.areUsable()) this.decide()
    else this.decideAfter(this.records.reloadUnusable())
  }

  onDecided(decision: Decision): void {
    const { request, caller, failure } = this
    if (!decision.isDegraded) this.records.confirm()
    request.decision = decision
    if (request.isCounted && decision.verdict === 'admitted' && failure === undefined) {
      request.leaseId = this.leaseId
      this.deps.leases.opened(caller.account.counters, this.leaseId, caller.key)
    }
    if (failure !== undefined) request.response.sendProblem(failure)
    else if (decision.verdict === 'denied') this.deny(decision)
    else if (request.response.isGone) request.response.clientDisconnected()
    else this.onAdmitted(request)
  }

  onStale(versions: StaleVersions): void {
    this.decideAfter(this.records.reloadStale(versions))
  }

  /** Redis has lost the account, or has no counters of a key's own caps yet: they are seeded from audit. */
  onUnseeded(unseeded: Unseeded): void {
    if (unseeded.what === 'account') this.reloadThenSeed(unseeded.ticket)
    else void this.seedKey().then((isSeeded) => (isSeeded ? this.decide() : this.decideByFallback()))
  }

  onUnavailable(): void {
    const isRecent = this.records.isRecentEnough()
    if (isRecent === true) this.decideByFallback()
    else
      void Promise.resolve(isRecent).then((isStillRecent) =>
        isStillRecent ? this.decideByFallback() : this.unavailable(),
      )
  }

  onLateReply(redisMs: number, kind: UsageKind): void {
    this.late = { redisMs, kind }
    this.settleLateReply()
  }

  /** The records of a lost account are reloaded as well. */
  private reloadThenSeed(ticket: number): void {
    const { account, key } = this.caller
    const { maintenance } = this.deps
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
      const seeded = await Promise.all([maintenance.seed(account.counters, plan, versions), this.seedKey()])
      if (seeded.every(Boolean)) this.decide()
      else this.decideByFallback()
    })
  }

  private async seedKey(): Promise<boolean> {
    const { account, key } = this.caller
    if (key?.caps === undefined) return true
    this.keySeeds += 1
    if (this.keySeeds > KEY_SEEDS_MAX || this.plan === undefined) return false
    return this.deps.maintenance.seedKey(account.counters, this.plan, key.caps)
  }

  private decide(): void {
    const { account } = this.caller
    const plan = this.compile()
    const [user, subscription] = [account.user.value, account.subscription.value]
    if (user === undefined || plan === undefined || subscription === undefined) {
      if (user === undefined) this.rejectUncounted(unknownAccount)
      else this.unavailable()
      return
    }
    const { counters } = account
    const versions = { userVersion: user.version, subscriptionVersion: subscription.version }
    this.deps.limiter.decide({ counters, plan, ...versions, ...this.ofKey(), purpose: this.purpose() }, this)
  }

  private ofKey() {
    const { key } = this.caller
    const loaded = this.records.loaded()
    if (key === undefined) return { ...SESSION, loaded }
    const { kid, caps, shadow: keyShadow } = key
    const record = key.record.value
    return { kid, keyVersion: record?.version, keyId: record?.key_id ?? '', caps, keyShadow, loaded }
  }

  /** The plan and the authorization failure according to the current records. */
  private compile(): AccountPlan | undefined {
    const { request, caller, deps } = this
    const nowMs = deps.now()
    this.plan = deps.accounts.plan(caller.account, nowMs)
    request.plan = this.plan
    this.failure = authorizationFailure(caller, request, nowMs)
    return this.plan
  }

  private purpose(): Purpose {
    const { isCounted, route } = this.request
    if (this.failure !== undefined) return isCounted ? 'refuse' : 'look'
    if (isCounted) return 'count'
    return route?.own === 'limits' ? 'report' : 'look'
  }

  private decideByFallback(): void {
    const plan = this.compile()
    if (plan === undefined) {
      this.unavailable()
      return
    }
    this.deps.metrics.degradedDecisions += 1
    this.isDecidedByFallback = true
    const decision = this.fallbackDecision(this.deps.maintenance.fallbackOf(this.caller.account.counters), plan)
    this.settleLateReply()
    this.onDecided(decision)
  }

  private fallbackDecision(fallback: FallbackLimiter, plan: AccountPlan): Decision {
    const purpose = this.purpose()
    const request = this.fallbackRequest(plan)
    if (purpose === 'report') return fallback.report(request)
    if (purpose !== 'count') {
      return fallback.look(this.failure === undefined ? 'admitted' : 'refused', request, purpose === 'refuse')
    }
    const decision = fallback.decide(request)
    if (decision.verdict === 'admitted') this.fallbackAtMs = request.nowMs
    return decision
  }

  private fallbackRequest(plan: AccountPlan): FallbackRequest {
    const { account, key } = this.caller
    const openHere = account.counters.leases.open.size
    const openOfKey = key?.caps?.leases?.open.size ?? 0
    return { nowMs: this.deps.now(), plan, kid: key?.kid ?? SESSION_KEY_ID, openHere, caps: key?.caps, openOfKey }
  }

  /** A late reply may come before the fallback has decided: it is settled after that. */
  private settleLateReply(): void {
    if (this.late === undefined || !this.isDecidedByFallback) return
    const { account, key } = this.caller
    const late = { ...this.late, kid: key?.kid ?? SESSION_KEY_ID, keyId: key?.caps?.keyId ?? '' }
    this.deps.maintenance.countedByRedis(account.counters, late, this.fallbackAtMs)
    this.late = undefined
  }

  private deny(decision: Decision): void {
    const { code, text, scope } = denialOf(decision)
    const headers = ['retry-after', String(retryAfterSeconds(decision))]
    const extra = { scope, decision: presentDecision(decision) }
    this.request.response.sendProblem({ code, text, headers, extra })
  }

  private decideAfter(reload: Promise<boolean>): void {
    void reload.then((isLoaded) => (isLoaded ? this.decide() : this.unavailable()))
  }

  private unavailable(): void {
    this.rejectUncounted(accountUnavailable)
  }

  private rejectUncounted(problem: Problem): void {
    this.request.isCounted = false
    this.request.response.sendProblem(problem)
  }
}
