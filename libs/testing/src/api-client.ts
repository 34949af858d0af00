import { setTimeout as sleep } from 'node:timers/promises'
import type { CreatedKey, KeyList } from '@tapeline/contracts/api-key/http'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import type { SignedIn } from '@tapeline/contracts/identity/http'

export type Reply<T = unknown> = { status: number; headers: Headers; body: T; bytes: number }
export type Request = { method?: string; token?: string; body?: unknown; headers?: Record<string, string> }

const REQUEST_TIMEOUT_MS = 20_000

/** Sends one HTTP request to the running platform and returns the response with any status. */
export async function send<T = unknown>(
  url: string,
  { method, token, body, headers }: Request = {},
): Promise<Reply<T>> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  const text = await response.text()
  // The test asserts on this shape.
  const parsed = (text === '' ? undefined : JSON.parse(text)) as T
  return { status: response.status, headers: response.headers, body: parsed, bytes: text.length }
}

const TRIES_MAX = 5

/** Like `send`, but honors `Retry-After` of a 503, as a well-behaved client does. For test setup. */
export async function sendAgain<T>(url: string, request: Request): Promise<Reply<T>> {
  for (let tries = 1; ; tries += 1) {
    const reply = await send<T>(url, request)
    const retryAfter = reply.headers.get('retry-after')
    if (reply.status !== 503 || retryAfter === null || tries === TRIES_MAX) return reply
    await sleep(Number(retryAfter) * 1_000)
  }
}

type Data<T> = { success: true; message: string; data: T }

export type TestAccount = SignedIn & { email: string; password: string }

/** Signs up a new, unique user at this gateway. */
export async function signUpUser(gatewayUrl: string): Promise<TestAccount> {
  const email = `${crypto.randomUUID()}@example.com`
  const password = `pw-${crypto.randomUUID()}`
  const reply = await sendAgain<Data<SignedIn>>(`${gatewayUrl}/api/v1/internal/user/create`, {
    method: 'PUT',
    body: { first_name: 'Ada', last_name: 'Lovelace', email, password, mobile: '+441234567' },
  })
  if (reply.status !== 200 && reply.status !== 201) throw new Error(`sign-up returned ${JSON.stringify(reply.body)}`)
  return { ...reply.body.data, email, password }
}

/** Starts a new session of an existing user. */
export async function signIn(gatewayUrl: string, { email, password }: TestAccount): Promise<SignedIn> {
  const url = `${gatewayUrl}/api/v1/internal/user/login`
  const reply = await sendAgain<Data<SignedIn>>(url, { body: { email, password } })
  if (reply.status !== 200) throw new Error(`sign-in returned ${JSON.stringify(reply.body)}`)
  return reply.body.data
}

/** Creates an API key; the only response with its secret. Throws unless it is created. */
export async function createKeyFor(gatewayUrl: string, token: string, name = 'test'): Promise<CreatedKey> {
  const reply = await sendAgain<Data<CreatedKey>>(`${gatewayUrl}/api/v1/internal/api-keys`, { token, body: { name } })
  if (reply.status >= 300) throw new Error(`creating a key returned ${JSON.stringify(reply.body)}`)
  return reply.body.data
}

/** The keys of the account of an access token. */
export async function listKeysOf(gatewayUrl: string, token: string): Promise<KeyList> {
  return (await send<Data<KeyList>>(`${gatewayUrl}/api/v1/internal/api-keys`, { token })).body.data
}

/** Usage of the last hour, as the dashboard shows it. */
export async function usageOf(gatewayUrl: string, token: string, call = 'dashboard-metrics'): Promise<UsageReport> {
  const url = `${gatewayUrl}/api/v1/internal/apikeyaudit/${call}?period=1h`
  const reply = await send<Data<UsageReport>>(url, { token })
  if (reply.status !== 200) throw new Error(`${call} returned ${JSON.stringify(reply.body)}`)
  return reply.body.data
}

/** Calls a market-data endpoint that every tier includes. */
export function listTrades(
  gatewayUrl: string,
  key: string,
  body: object = { venues: ['sim'], limit: 1 },
): Promise<Reply> {
  return send(`${gatewayUrl}/api/v1/trades/list`, { token: key, body })
}
