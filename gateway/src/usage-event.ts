import { randomUUIDv7 } from 'node:crypto'
import type { Tier } from '@tapeline/contracts/actor'
import { type Outcome, POLICIES, usageRequestServed } from '@tapeline/contracts/usage/events'
import { CONCURRENCY, type Counts, type Decision, deniedBy, deniedByKey } from './decision.ts'
import { isCap } from './key-caps.ts'

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
  decision: Decision
  latencyUs: number
  upstreamLatencyUs: number | null
  bytesIn: number
  bytesOut: number
  rowsReturned: number | null
  requestId: string
  network: string
}

const SESSION = 'session'

/** Writes journal lines, `<account> <event>`: texts that come from outside the gateway are escaped, all others are its own. */
export function usageLines(gatewayId: string): (facts: UsageFacts) => string {
  const { topic, type } = usageRequestServed
  const head = `{"specversion":"1.0","source":"/tapeline/${topic}","type":"${type}","datacontenttype":"application/json","id":"`
  const gateway = `"gateway_id":${JSON.stringify(gatewayId)}`
  return (facts) => {
    const { accountId, keyId, kid, decision } = facts
    const actor = kid === null ? SESSION : keyId
    return (
      `${accountId} ${head}${randomUUIDv7()}","subject":"${accountId}","account":"${accountId}","time":"${time(decision)}",` +
      `"actorkind":"user","actorid":"${accountId}","network":"${facts.network}","data":{"account_id":"${accountId}",` +
      `"key_id":"${actor}","kid":${textOrNull(kid)},"tier":"${facts.tier}","method":${JSON.stringify(facts.method)},` +
      `"route":"${facts.route}","status":${facts.status},"outcome":"${facts.outcome}","code":${textOrNull(facts.code)},` +
      `"decision":${decisionJson(decision)},"latency_us":${facts.latencyUs},"upstream_latency_us":${facts.upstreamLatencyUs},` +
      `"bytes_in":${facts.bytesIn},"bytes_out":${facts.bytesOut},"rows_returned":${facts.rowsReturned},${gateway},` +
      `"request_id":"${facts.requestId}","network":"${facts.network}"}}\n`
    )
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
  const policies = deniedMask === 0 ? '[]' : JSON.stringify(deniedBy(deniedMask))
  const ofKey =
    key === undefined
      ? ''
      : `,"key_denied_by":${JSON.stringify(deniedByKey(deniedMask))},"key_windows":[${windowsJson(key)}]`
  return (
    `{"verdict":"${verdict}","degraded":${isDegraded},"denied_by":${policies},` +
    `"retry_after_ms":${Math.ceil(retryAfterMs)},"windows":[${windowsJson(decision)}]${ofKey}}`
  )
}

function windowsJson({ used, resetMs, limits }: Counts): string {
  let windows = ''
  for (let n = 0; n < used.length; n += 1) {
    const limit = limits.values[n]
    if (!isCap(limit)) continue
    const reset = n === CONCURRENCY ? '' : `,"reset_ms":${Math.max(0, Math.ceil(resetMs[n] ?? 0))}`
    windows += `${windows === '' ? '' : ','}{"policy":"${POLICIES[n]}","used":${used[n]},"limit":${limit}${reset}}`
  }
  return windows
}
