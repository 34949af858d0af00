import { check, sleep } from 'k6'
import exec from 'k6/execution'
import { Trend } from 'k6/metrics'
import { gatewayOf } from '../lib/accounts.ts'
import { checkLimits, dataOf, sendCall } from '../lib/send-call.ts'
import { finish } from '../lib/finish.ts'
import { beginIteration, journeyOptions } from '../lib/journey.ts'
import { DATA_LATENCIES } from '../lib/thresholds.ts'

// A new user signs up, creates a key, reads data with it, and finds the request in their numbers.
const POLLS_MAX = 60
const PAUSE_SECONDS = 0.5
const firstAnswer = new Trend('sign_up_to_first_answer_ms', true)
const firstNumber = new Trend('first_answer_to_number_ms', true)

export const options = journeyOptions({
  parts: { newcomers: { exec: 'signUp', perSecond: 1, iterationSeconds: 15 } },
  latencies: { none: { p95: 1_000, p99: 2_000 }, free: DATA_LATENCIES.free ?? { p95: 200, p99: 500 } },
})

export function signUp() {
  const iteration = beginIteration()
  const api = `${gatewayOf(iteration)}/api/v1`
  const beganMs = Date.now()
  const person = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: `load-${beganMs}-${exec.vu.idInTest}-${iteration}@example.com`,
    password: `pw-${Math.random()}-${beganMs}`,
    mobile: '+441234567',
  }
  const created = sendCall({
    method: 'PUT',
    url: `${api}/internal/user/create`,
    name: 'sign up',
    body: person,
    expected: [200, 201],
  })
  const token = dataOf<{ jwtToken: string }>(created)?.jwtToken
  check(created, { 'the account is created': () => token !== undefined })
  if (token === undefined) return
  const keyCall = { method: 'POST', url: `${api}/internal/api-keys`, name: 'make a key' } as const
  const response = sendCall({ ...keyCall, token, body: { name: 'first' }, expected: [200, 201] })
  const apiKey = dataOf<{ apiKey: string }>(response)?.apiKey
  check(response, { 'the key is created': () => apiKey !== undefined })
  if (apiKey === undefined) return
  const body = { venues: ['sim'], limit: 10 }
  const trades = sendCall({
    method: 'POST',
    url: `${api}/trades/list`,
    name: 'first request',
    token: apiKey,
    tier: 'free',
    body,
  })
  checkLimits(trades)
  check(trades, { 'the first request is answered': ({ status }) => status === 200 })
  firstAnswer.add(Date.now() - beganMs)
  readUsage(`${api}/internal/apikeyaudit/dashboard-metrics?period=1h`, token)
}

function readUsage(url: string, token: string): void {
  const answeredMs = Date.now()
  let total = 0
  for (let polls = 0; polls < POLLS_MAX && total === 0; polls += 1) {
    total = dataOf<{ total: number }>(sendCall({ method: 'GET', url, name: 'dashboard', token }))?.total ?? 0
    if (total === 0) sleep(PAUSE_SECONDS)
  }
  check(total, { 'the dashboard counts the request once': (found) => found === 1 })
  firstNumber.add(Date.now() - answeredMs)
}

export const handleSummary = (data: unknown) => finish('sign-up-to-first-request', data)
