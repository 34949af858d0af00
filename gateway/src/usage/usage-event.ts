import { randomUUIDv7 } from 'node:crypto'
import type { Tier } from '@tapeline/contracts/actor'
import { type Outcome, POLICIES, SESSION_KEY_ID, usageRequestServed } from '@tapeline/contracts/usage/events'
import {
  CONCURRENCY,
  type Counts,
  type Decision,
  deniedBy,
  deniedByKey,
  isCap,
  type Limits,
  type ShadowVerdict,
} from './decision.ts'

/** Outcome of a request that was answered with this status, unless a limit denied it or the client disconnected. */
export function outcomeOf(status: number): Outcome {
  if (status < 400) return 'ok'
  return status < 500 ? 'client_error' : 'server_error'
}

export type UsageFacts = {
  accountId: string
  keyId: string
  kid: string | null
  tier: Tier
  method: string
  route: string
  status: number
  outcome: Outcome
  code: string | null
  /** JSON. */
  rejectedFields: string | undefined
  decision: Decision
  latencyUs: number
  upstreamLatencyUs: number | null
  bytesIn: number
  bytesOut: number
  rowsReturned: number | null
  requestId: string
  network: string
}

/** Callers whose constant part of the event is cached. */
const HEADS_MAX = 4_096

/**
 * Writes journal lines, `<account> <event>`: texts from outside the gateway are escaped.
 * The part that is constant for a caller comes first and is cached as one string, so half of each event is not built again.
 */
export function usageLines(gatewayId: string): (facts: UsageFacts) => string {
  const headOf = usageHeads(gatewayId)
  return (facts) =>
    `${headOf(facts)}"method":${JSON.stringify(facts.method)},"route":"${facts.route}","status":${facts.status},` +
    `"outcome":"${facts.outcome}","code":${textOrNull(facts.code)},` +
    (facts.rejectedFields === undefined ? '' : `"rejected_fields":${facts.rejectedFields},`) +
    `"decision":${decisionJson(facts.decision)},` +
    `"latency_us":${facts.latencyUs},"upstream_latency_us":${facts.upstreamLatencyUs},"bytes_in":${facts.bytesIn},` +
    `"bytes_out":${facts.bytesOut},"rows_returned":${facts.rowsReturned},"request_id":"${facts.requestId}"},` +
    `"time":"${time(facts.decision)}","id":"${randomUUIDv7()}"}\n`
}

type Head = Pick<UsageFacts, 'accountId' | 'keyId' | 'tier' | 'network'> & { text: string }

/** The envelope's attributes and the fields of the caller. */
function usageHeads(gatewayId: string): (facts: UsageFacts) => string {
  const { topic, type } = usageRequestServed
  const envelope = `"specversion":"1.0","source":"/tapeline/${topic}","type":"${type}","datacontenttype":"application/json"`
  const gateway = JSON.stringify(gatewayId)
  const heads = new Map<string, Head>()
  return ({ accountId, keyId, kid, tier, network }) => {
    const caller = kid ?? accountId
    const cached = heads.get(caller)
    const isSame = cached?.tier === tier && cached.network === network && cached.keyId === keyId
    if (isSame && cached.accountId === accountId) return cached.text
    const text =
      `${accountId} {${envelope},"subject":"${accountId}","account":"${accountId}","actorkind":"user",` +
      `"actorid":"${accountId}","network":"${network}","data":{"account_id":"${accountId}",` +
      `"key_id":"${kid === null ? SESSION_KEY_ID : keyId}","kid":${textOrNull(kid)},"tier":"${tier}",` +
      `"network":"${network}","gateway_id":${gateway},`
    // Decoding from bytes makes one flat string instead of a tree of its parts.
    const head = { accountId, keyId, tier, network, text: Buffer.from(text).toString() }
    if (heads.size >= HEADS_MAX) heads.clear()
    heads.set(caller, head)
    return head.text
  }
}

let timeMs = -1
let timeText = ''

/** Many events share a millisecond of the limiter's clock. */
function time({ nowMs }: Decision): string {
  if (nowMs !== timeMs) {
    timeMs = nowMs
    timeText = new Date(nowMs).toISOString()
  }
  return timeText
}

function textOrNull(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text)
}

function decisionJson(decision: Decision): string {
  const { verdict, isDegraded, deniedMask, retryAfterMs, key } = decision
  const shadow = shadowJson(decision)
  const windows = windowsJson(decision)
  if (verdict === 'admitted' && !isDegraded && key === undefined) return `${ADMITTED}${windows}]${shadow}}`
  const policies = deniedMask === 0 ? '[]' : JSON.stringify(deniedBy(deniedMask))
  const ofKey =
    key === undefined
      ? ''
      : `,"key_denied_by":${JSON.stringify(deniedByKey(deniedMask))},"key_windows":[${windowsJson(key)}]`
  return (
    `{"verdict":"${verdict}","degraded":${isDegraded},"denied_by":${policies},` +
    `"retry_after_ms":${Math.ceil(retryAfterMs)},"windows":[${windows}]${ofKey}${shadow}}`
  )
}

function shadowJson({ shadow, keyShadow }: Decision): string {
  if (shadow === undefined && keyShadow === undefined) return ''
  return verdictJson('shadow', shadow) + verdictJson('key_shadow', keyShadow)
}

function verdictJson(name: 'shadow' | 'key_shadow', verdict: ShadowVerdict | undefined): string {
  if (verdict === undefined) return ''
  const { proposal, deniedMask, retryAfterMs } = verdict
  if (deniedMask === 0) return `,"${name}":{"proposal":"${proposal}","denied_by":[]}`
  const policies = JSON.stringify(deniedBy(deniedMask))
  return `,"${name}":{"proposal":"${proposal}","denied_by":${policies},"retry_after_ms":${Math.ceil(retryAfterMs)}}`
}

const ADMITTED = '{"verdict":"admitted","degraded":false,"denied_by":[],"retry_after_ms":0,"windows":['

/** The unchanging text before the count of each window that has a limit. */
type WindowText = { at: number; before: string }
const windowTexts = new WeakMap<Limits, WindowText[]>()

function windowsJson({ used, resetMs, limits }: Counts): string {
  if (used.length === 0) return ''
  let windows = ''
  for (const { at, before } of windowTextsOf(limits)) {
    windows += before + String(used[at])
    windows += at === CONCURRENCY ? '}' : `,"reset_ms":${Math.max(0, Math.ceil(resetMs[at] ?? 0))}}`
  }
  return windows
}

function windowTextsOf(limits: Limits): WindowText[] {
  const cached = windowTexts.get(limits)
  if (cached !== undefined) return cached
  const texts: WindowText[] = []
  for (const [at, policy] of POLICIES.entries()) {
    const limit = limits.values[at]
    if (isCap(limit)) {
      texts.push({ at, before: `${texts.length === 0 ? '' : ','}{"policy":"${policy}","limit":${limit},"used":` })
    }
  }
  windowTexts.set(limits, texts)
  return texts
}
