import { check } from 'k6'
import { Trend } from 'k6/metrics'
import { accountsOf, gatewayOf, turnOf } from '../lib/accounts.ts'
import { checkLimits, dataOf, sendCall } from '../lib/send-call.ts'
import { finish } from '../lib/finish.ts'
import { beginIteration, journeyOptions } from '../lib/journey.ts'
import { accessTokenOf } from '../lib/sign-in-again.ts'
import { DATA_LATENCIES } from '../lib/thresholds.ts'

// Keys read data while their owners use the dashboard, which must respond with current numbers.
const owners = accountsOf('owners')
const BEHIND_MAX_MS = 30_000
const CALLS = [
  'apikeyaudit/dashboard-metrics?period=1h',
  'apikeyaudit/real-time-stats',
  'api-keys',
  'requests?limit=50',
  'subscription',
  'notifications',
]
const numbersBehind = new Trend('numbers_behind_ms', true)

export const options = journeyOptions({
  parts: {
    keys: { exec: 'read', perSecond: 40, iterationSeconds: 2 },
    owners: { exec: 'readDashboard', perSecond: 2, iterationSeconds: 6 },
  },
  latencies: { ...DATA_LATENCIES, none: { p95: 500, p99: 1_500 } },
})

export function read() {
  const iteration = beginIteration()
  const { apiKey: token, tier } = turnOf(owners, iteration)
  const url = `${gatewayOf(iteration)}/api/v1/trades/list`
  const reply = sendCall({ method: 'POST', url, name: 'trades', token, tier, body: { venues: ['sim'], limit: 10 } })
  checkLimits(reply)
}

export function readDashboard() {
  const iteration = beginIteration()
  const token = accessTokenOf(gatewayOf(iteration), turnOf(owners, iteration))
  for (const call of CALLS) {
    const url = `${gatewayOf(iteration)}/api/v1/internal/${call}`
    const reply = sendCall({ method: 'GET', url, name: call.split('?')[0] ?? call, token })
    check(reply, { 'a dashboard call succeeds': ({ status }) => status === 200 })
    const asOf = dataOf<{ as_of?: string }>(reply)?.as_of
    if (!call.startsWith('apikeyaudit/dashboard') || asOf === undefined) continue
    const behindMs = Math.max(0, Date.now() - Date.parse(asOf))
    numbersBehind.add(behindMs)
    check(reply, { 'its numbers are at most 30 seconds old': () => behindMs <= BEHIND_MAX_MS })
  }
}

export const handleSummary = (data: unknown) => finish('dashboard-during-load', data)
