import type { KeyLimits } from '@tapeline/contracts/api-key/http'
import type { KeyRecord } from '@tapeline/contracts/api-key/key-record'
import { type AccountPlan, shadowArgument } from './account-plan.ts'
import { isCap, type Limits, NO_CAP, POLICY_NAMES } from '../usage/decision.ts'
import { ReportedUsage } from './reported-usage.ts'
import { LeaseList } from './lease-list.ts'

/**
 * A key's own caps: a second list of limits in addition to the account's. They are counted by the key's id, so that a
 * regenerated key keeps its counts, and a replaced secret in its grace counts with its successor.
 */
export class KeyCaps {
  readonly keyId: string
  readonly limits: Limits
  /** Redis keys of the counters. */
  readonly rings: string
  readonly leasesKey: string
  /** Undefined: no cap of concurrency, so no leases are kept. */
  readonly leases: LeaseList | undefined
  readonly reported: ReportedUsage
  private policyHeader = ''
  private policyHeaderOf: AccountPlan | undefined

  constructor({ account_id: accountId, key_id: keyId }: KeyRecord, limits: Limits, reported: ReportedUsage) {
    this.reported = reported
    this.keyId = keyId
    this.limits = limits
    this.rings = `windows:{${accountId}}:${keyId}`
    this.leasesKey = `leases:{${accountId}}:${keyId}`
    this.leases = limits.argv.at(-1) === '' ? undefined : new LeaseList(accountId, this.leasesKey)
  }

  /** The key's part of `RateLimit-Policy`, after the account's policies; the length of the month is the plan's. */
  policyHeaderFor(plan: AccountPlan): string {
    if (this.policyHeaderOf === plan) return this.policyHeader
    const monthS = plan.month.endS - plan.month.startS
    const windows = ['w=1', 'w=60', 'w=3600', 'w=86400', `w=${monthS}`, 'qu="concurrent-requests"']
    this.policyHeader = this.limits.values
      .map((limit, n) => (isCap(limit) ? `, "${POLICY_NAMES[n + windows.length]}";q=${limit};${windows[n]}` : ''))
      .join('')
    this.policyHeaderOf = plan
    return this.policyHeader
  }
}

/** Undefined: the key has no caps, which costs nothing. */
export function compileCaps(record: KeyRecord, reported = new ReportedUsage()): KeyCaps | undefined {
  const caps = record.rate_limits
  if (caps === null) return undefined
  const given = inOrder(caps)
  if (given.every((cap) => cap === undefined)) return undefined
  const values = given.map((cap) => cap ?? NO_CAP)
  const argv = values.map(String)
  if (caps.concurrentRequests === undefined) argv[argv.length - 1] = ''
  return new KeyCaps(record, { values, argv }, reported)
}

/** Caps proposed for a key: evaluated in addition to its current ones, counted by the key's id, and never enforced. */
export type KeyShadow = {
  /** Id of the proposal. */
  proposal: string
  /** The caps as one argument of decide.lua. */
  argument: string
  /** Undefined: concurrency is not among the proposed caps, or the current caps keep the leases. */
  leases: LeaseList | undefined
}

/** A limit of shadow.lua that no count reaches. */
const NO_SHADOW_CAP = 4_294_967_295

/** Undefined: no caps are proposed for the key, which costs nothing. */
export function compileKeyShadow(record: KeyRecord, caps: KeyCaps | undefined): KeyShadow | undefined {
  const { shadow_limits: shadow, account_id: accountId, key_id: keyId } = record
  if (shadow === undefined) return undefined
  const values = inOrder(shadow.rate_limits).map((cap) => cap ?? NO_SHADOW_CAP)
  const needsLeases = shadow.rate_limits.concurrentRequests !== undefined && caps?.leases === undefined
  return {
    proposal: shadow.id,
    argument: shadowArgument(shadow.id, values),
    leases: needsLeases ? new LeaseList(accountId, `leases:{${accountId}}:${keyId}`) : undefined,
  }
}

function inOrder(caps: KeyLimits): (number | undefined)[] {
  return [
    caps.burstLimit,
    caps.requestsPerMinute,
    caps.requestsPerHour,
    caps.requestsPerDay,
    caps.requestsPerMonth,
    caps.concurrentRequests,
  ]
}
