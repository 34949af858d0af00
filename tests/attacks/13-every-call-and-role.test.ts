import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CreatedKey, KEY_SCOPES } from '@tapeline/contracts/api-key/http'
import { send, signUpUser } from '@tapeline/testing/api-client'
import { callOperator } from '@tapeline/testing/operator'
import { setLimits } from '@tapeline/testing/set-subscription'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { genuineSigningKey, partsOf, signRs256 } from './forge-token.ts'

const platform = runningPlatform()
const operator = callOperator(platform)
afterAll(() => operator.close())

const ROOT = join(import.meta.dirname, '..', '..')
const TRIES_MAX = 5
const ROLES = ['user', 'tester', 'admin'] as const
const WHO = ['anonymous', ...ROLES, 'service key', 'deactivated', 'expired'] as const
type Caller = (typeof WHO)[number]
type Route = { method: string; path: string; access: string }

/** The golden access lines of every service. */
const routes: Route[] = globSync('services/*/golden/access.txt', { cwd: ROOT })
  .flatMap((file) => readFileSync(join(ROOT, file), 'utf8').trim().split('\n'))
  .flatMap((line) => {
    const [, method = '', path = '', access = ''] = /^(\S+) (\S+) {2}(.+)$/.exec(line) ?? []
    return access === 'open' ? [] : [{ method, path, access }]
  })
/** These calls end the session, so they are sent last. */
const LAST = ['/api/v1/internal/user/sessions', '/api/v1/internal/user/logout']
const inOrder = routes.toSorted((a, b) => LAST.indexOf(a.path) - LAST.indexOf(b.path))
const accessRules = readFileSync(join(ROOT, 'gateway/golden/access.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('  ', 2))
/** The answer to a caller without access. */
const REJECTED = /^(credential[.]|session[.]ended|request[.](forbidden|unauthenticated|route|method))/

/**
 * Anonymous callers are admitted, but a credential must be valid if it is sent, according to the first matching route.
 */
function wantsGoodCredential(path: string): boolean {
  const fits = (pattern = '') => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern)
  return accessRules.find(([pattern]) => fits(pattern))?.[1]?.startsWith('anyone or session') === true
}

const tokens = new Map<Caller, string>()
beforeAll(async () => {
  for (const who of [...ROLES, 'deactivated'] as const) {
    const { user, jwtToken } = await signUpUser(platform.gatewayUrl)
    tokens.set(who, jwtToken)
    if (who === 'deactivated') await operator.ofUsers('set-status', user.id, 'inactive')
    else if (who !== 'user') await operator.ofUsers('set-role', user.id, who)
  }
  tokens.set('service key', await makeServiceKey())
  const { header, claims } = partsOf((await signUpUser(platform.gatewayUrl)).jwtToken)
  const nowS = Math.floor(Date.now() / 1_000)
  const old = { ...claims, iat: nowS - 1_000, exp: nowS - 100 }
  tokens.set('expired', signRs256({ header, claims: old }, await genuineSigningKey(platform, header['kid'])))
})

test('the golden files list every call of every service', () => {
  expect(routes.length).toBeGreaterThan(80)
  for (const { access, path } of routes) {
    expect(access, path).toMatch(
      /^(public|services .+|(user|tester|admin)( or API key)?( with \S+)?( or service key with \S+)?( in tiers with \w+)?( while \w+ is on)?)$/,
    )
  }
})

test.each(WHO)('%s: each call admits exactly the roles in its golden line', async (who) => {
  const wrong: string[] = []
  for (const route of inOrder) {
    const { status, code } = await call(route, tokens.get(who))
    const refusal = refusalOf(route, who)
    const isRight =
      refusal === 'let in' ? status < 500 && !REJECTED.test(code) : status === refusal[0] && refusal[1].test(code)
    if (!isRight) wrong.push(`${route.method} ${route.path} (${route.access}): ${status} ${code}`)
  }
  expect(wrong).toEqual([])
})

function refusalOf({ access, path }: Route, who: Caller): 'let in' | [number, RegExp] {
  const isPublicPath = path.startsWith('/api/')
  if (!isPublicPath) return [404, /^request[.]route_not_found$/]
  const isRejected = who === 'deactivated' || who === 'expired'
  if (access === 'public') return isRejected && wantsGoodCredential(path) ? [401, /./] : 'let in'
  if (isRejected || who === 'anonymous') return [401, /./]
  return mayCall(access, who) ? 'let in' : [403, /^request[.]forbidden$/]
}

function mayCall(access: string, who: Caller): boolean {
  if (who === 'service key') return /or (service|API) key/.test(access)
  return ROLES.findIndex((role) => role === who) >= ROLES.findIndex((role) => access.startsWith(role))
}

/** A service key with all scopes, of an admin's account; it must not be admitted to calls for sessions. */
async function makeServiceKey(): Promise<string> {
  const { user, jwtToken } = await signUpUser(platform.gatewayUrl)
  await setLimits(platform, user.id, {})
  await operator.ofUsers('set-role', user.id, 'admin')
  const { body } = await send<{ data: CreatedKey }>(`${platform.gatewayUrl}/api/v1/internal/api-keys`, {
    token: jwtToken,
    body: { name: 'automation', kind: 'service', scopes: [...KEY_SCOPES] },
  })
  return body.data.apiKey
}

type Answer = { status: number; code: string }

/** Honours Retry-After of a service that is briefly unavailable. */
async function call(route: Route, token: string | undefined): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const { retryAfterS, ...answer } = await callOnce(route, token)
    if (answer.status !== 503 || retryAfterS === 0 || tries === TRIES_MAX) return answer
    await sleep(retryAfterS * 1_000)
  }
}

/** Sends a body that no call accepts, so that an admitted call changes nothing. */
async function callOnce({ method, path }: Route, token: string | undefined): Promise<Answer & { retryAfterS: number }> {
  const url =
    platform.gatewayUrl + path.replace(/:(\w+)/g, (_, name: string) => PARAMETERS[name] ?? crypto.randomUUID())
  const controller = new AbortController()
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { body: '{"no_such_field":true}' }),
    signal: controller.signal,
  })
  const text = response.ok ? '{}' : await response.text()
  // Some responses are endless streams.
  controller.abort()
  const { code = '' }: { code?: string } = JSON.parse(text)
  return { status: response.status, code, retryAfterS: Number(response.headers.get('retry-after')) }
}

const PARAMETERS: Record<string, string> = {
  key: 'system_config.sign_up',
  tier: 'pro',
  symbol: 'BTC-USDT',
  flag_key: 'api_key_audit',
  kid: 'AAAAAAAAAAAA',
}
