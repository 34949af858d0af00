import { check } from 'k6'
import { accountsOf, gatewayOf, turnOf } from '../lib/accounts.ts'
import { dataOf, sendCall } from '../lib/send-call.ts'
import { finish } from '../lib/finish.ts'
import { beginIteration, journeyOptions } from '../lib/journey.ts'

// A returning user signs in, loads their details, stays longer than an access token is valid, and signs out.
const people = accountsOf('people')

export const options = journeyOptions({
  parts: { 'coming-back': { exec: 'signIn', perSecond: 2, iterationSeconds: 6 } },
  latencies: { none: { p95: 1_000, p99: 2_000 } },
})

type Tokens = { jwtToken: string; refreshToken: string }

export function signIn() {
  const iteration = beginIteration()
  const { email, password } = turnOf(people, iteration)
  const user = `${gatewayOf(iteration)}/api/v1/internal/user`
  const login = sendCall({ method: 'POST', url: `${user}/login`, name: 'sign in', body: { email, password } })
  const tokens = dataOf<Tokens>(login)
  check(login, { 'the sign-in succeeds': () => tokens?.jwtToken !== undefined })
  if (tokens === undefined) return
  const details = sendCall({ method: 'GET', url: `${user}/details`, name: 'who am I', token: tokens.jwtToken })
  check(details, {
    'the session belongs to the account': (reply) => dataOf<{ user: { email: string } }>(reply)?.user.email === email,
  })
  const { refreshToken } = tokens
  const refresh = sendCall({ method: 'POST', url: `${user}/refresh`, name: 'refresh', body: { refreshToken } })
  const fresh = dataOf<Tokens>(refresh)
  check(refresh, { 'tokens are replaced': () => fresh !== undefined && fresh.refreshToken !== refreshToken })
  if (fresh === undefined) return
  const token = fresh.jwtToken
  const logout = sendCall({ method: 'PATCH', url: `${user}/logout`, name: 'sign out', token, body: {} })
  check(logout, { 'the sign-out succeeds': ({ status }) => status === 200 })
  const after = sendCall({ method: 'GET', url: `${user}/details`, name: 'after signing out', token, expected: [401] })
  check(after, { 'the token is rejected after the sign-out': ({ status }) => status === 401 })
}

export const handleSummary = (data: unknown) => finish('sign-in', data)
