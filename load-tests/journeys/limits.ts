import { check, sleep } from 'k6'
import { Counter } from 'k6/metrics'
import { type Account, accountsOf, gatewayOf, turnOf } from '../lib/accounts.ts'
import { checkLimits, limiterOvershoot, type Reply, retryAfterHonoured, sendCall } from '../lib/send-call.ts'
import { finish } from '../lib/finish.ts'
import { beginIteration, journeyOptions } from '../lib/journey.ts'
import { rollingOf, type ReportedLimit, usedOf } from '../lib/limit-headers.ts'
import { overshootsOf } from '../lib/overshoot.ts'
import { type LimitsReport, readLimitsOf, readRequestLog } from '../lib/request-log.ts'
import { signInAgain } from '../lib/sign-in-again.ts'
import { DATA_LATENCIES } from '../lib/thresholds.ts'

// Does any account get more than its plan allows? Many clients request far more than accounts of each tier may, at all gateways;
// patient ones, each alone on an account, wait exactly for Retry-After.
const crowd = accountsOf('crowd')
const patient = accountsOf('patient')
const DENIALS_PER_VISIT = 2
const REQUESTS_PER_VISIT_MAX = 60
const loggedAccepted = new Counter('logged_accepted')

export const options = journeyOptions({
  parts: {
    crowd: { exec: 'exceedLimits', perSecond: 60, iterationSeconds: 2 },
    patient: { exec: 'respectRetryAfter', perSecond: 0.2, iterationSeconds: 15 },
  },
  latencies: DATA_LATENCIES,
  thresholds: { retry_after_honoured: ['rate==1'], degraded_answers: ['count==0'] },
})

/** Sends more than is allowed; the logged account number lets responses be counted per account. */
export function exceedLimits() {
  const iteration = beginIteration()
  const number = iteration % crowd.length
  const fromMs = Date.now()
  const reply = listTrades(turnOf(crowd, iteration), Math.floor(iteration / crowd.length))
  const limits = checkLimits(reply)
  check(reply, { 'the request is allowed or rejected': ({ status }) => status === 200 || status === 429 })
  if (reply.status === 429) check(reply, { 'a rejected request gets a Retry-After': (one) => retryAfter(one) >= 1 })
  if (reply.status === 200) console.log(`accepted ${number} ${fromMs} ${Date.now()} ${textOf(limits)}`)
}

/** Sends requests until one is rejected, waits, and must be allowed; reported usage equals the allowed requests. */
export function respectRetryAfter() {
  // The previous visit with this account has usually ended: there are more accounts than concurrent visits at the base rate.
  const account = turnOf(patient, beginIteration())
  const visit: Visit = { accepted: 0, firstUsed: undefined }
  let denials = 0
  for (let n = 0; n < REQUESTS_PER_VISIT_MAX && denials < DENIALS_PER_VISIT; n += 1) {
    const reply = listTrades(account, n)
    compareUsage(visit, reply)
    if (reply.status !== 429) continue
    denials += 1
    sleep(retryAfter(reply))
    const later = listTrades(account, n + 1)
    compareUsage(visit, later)
    retryAfterHonoured.add(later.status === 200)
  }
}

/** Allowed requests so far, and the reported use after the first of them. */
type Visit = { accepted: number; firstUsed: number | undefined }

/** Use increases by at least the allowed requests of this client. */
function compareUsage(visit: Visit, reply: Reply): void {
  const used = usedOf(checkLimits(reply), 'day')
  if (reply.status !== 200 || used === undefined) return
  visit.accepted += 1
  visit.firstUsed ??= used
  const counted = used - visit.firstUsed + 1
  if (counted < visit.accepted) limiterOvershoot.add(visit.accepted - counted)
}

/** Checks the request log: no account exceeded its plan within any window. */
export function teardown() {
  for (const [number, account] of crowd.entries()) {
    const gateway = gatewayOf(number)
    const token = signInAgain(gateway, account)
    const report = readLimitsOf(gateway, account)
    const accepted = readRequestLog({ gateway, token, atLeast: usedToday(report) })
    loggedAccepted.add(accepted.length)
    const limits = report.windows.filter(({ policy }) => policy in WINDOWS_MS)
    const rolling = limits.map(({ policy, limit }) => ({ policy, limit, windowMs: WINDOWS_MS[policy] ?? 0 }))
    const times = accepted.map((timeMs) => ({ fromMs: timeMs, toMs: timeMs }))
    for (const { policy, limit, most, over } of overshootsOf(times, rolling)) {
      limiterOvershoot.add(over)
      console.log(`logged ${number} ${account.tier} ${policy} ${most} of ${limit}`)
    }
  }
}

const WINDOWS_MS: Record<string, number> = { burst: 1_000, min: 60_000, hour: 3_600_000, day: 86_400_000 }

function usedToday({ windows }: LimitsReport): number {
  return windows.find(({ policy }) => policy === 'day')?.used ?? 0
}

function listTrades({ apiKey, tier }: Account, turn: number): Reply {
  const url = `${gatewayOf(turn)}/api/v1/trades/list`
  const body = { venues: ['sim'], limit: 1 }
  return sendCall({ method: 'POST', url, name: 'trades', token: apiKey, tier, body, expected: [200, 429] })
}

function retryAfter({ headers }: Reply): number {
  return Number(headers['Retry-After'] ?? 0)
}

function textOf(limits: ReportedLimit[]): string {
  return rollingOf(limits)
    .map(({ policy, limit, windowMs }) => `${policy}=${limit}/${windowMs}`)
    .join(' ')
}

export const handleSummary = (data: unknown) => finish('limits', data)
