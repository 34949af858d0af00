import { createKeyFor, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const SQL = [
  "'",
  "1' or '1'='1",
  "1'; select pg_sleep(5); --",
  '1); drop table trade; --',
  'limit 1 offset 0',
  '"; --',
  '\\',
  '$1',
  '${1}',
  '1\u0000',
]

let token = ''
let apiKey = ''

beforeAll(async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, {})
  token = jwtToken
  apiKey = (await createKeyFor(gatewayUrl, jwtToken)).apiKey
})

type Problem = { status: number; code: string; message: string }

function expectPlainRefusal({ status, body }: { status: number; body: unknown }, what: string): void {
  expect([400, 404], what).toContain(status)
  // The response may repeat the input, but must not contain a database error.
  expect(JSON.stringify(body), what).not.toMatch(
    /syntax error|relation \\?"|column \\?"|unterminated|kysely|invalid byte/i,
  )
}

test.each(['start', 'end', 'order', 'side', 'time_format', 'cursor', 'limit', 'include', 'price', 'colour'])(
  'SQL in the filter’s %s is rejected',
  async (name) => {
    for (const text of SQL) {
      for (const value of [text, [text], { gte: text }]) {
        const { status, body } = await listTrades(gatewayUrl, apiKey, { venues: ['sim'], [name]: value })
        expect(status, `${name} ${text}`).toBe(400)
        expect((body as Problem).code).toMatch(/^(request|filter|cursor)\./)
      }
    }
  },
)

test.each(['venues', 'symbols'])('SQL in the filter’s %s is treated as an unknown name', async (name) => {
  for (const text of SQL) {
    const reply = await listTrades(gatewayUrl, apiKey, { [name]: [text], limit: 1 })
    if (reply.status === 200) expect(reply.body, text).toMatchObject({ data: [] })
    else expectPlainRefusal(reply, text)
  }
})

test.each(['period', 'from', 'to', 'groupBy', 'apiKeyId', 'colour'])(
  'SQL in %s of a usage call is rejected',
  async (name) => {
    for (const text of SQL) {
      const query = `${name}=${encodeURIComponent(text)}`
      expectPlainRefusal(
        await send(`${gatewayUrl}/api/v1/internal/apikeyaudit/usage-breakdown?${query}`, { token }),
        `${name} ${text}`,
      )
    }
  },
)

test('SQL in a route to count, a key’s id or a symbol finds nothing', async () => {
  for (const text of SQL) {
    const encoded = encodeURIComponent(text)
    const counted = await send(`${gatewayUrl}/api/v1/internal/apikeyaudit/dashboard-metrics?route=${encoded}`, {
      token,
    })
    if (counted.status === 200) expect(counted.body, text).toMatchObject({ data: { total: 0 } })
    else expectPlainRefusal(counted, text)
    expectPlainRefusal(await send(`${gatewayUrl}/api/v1/internal/api-keys/${encoded}`, { token }), text)
    expectPlainRefusal(await send(`${gatewayUrl}/api/v1/sample/${encoded}`), text)
    expectPlainRefusal(await send(`${gatewayUrl}/api/v1/internal/user/feature-flags/${encoded}`, { token }), text)
  }
})

test('SQL in a name or a password is stored as text', async () => {
  for (const text of SQL.slice(0, 3)) {
    const email = `${crypto.randomUUID()}@example.com`
    const password = `${text}-${crypto.randomUUID()}`
    const body = { first_name: text, last_name: text, email, password, mobile: '+1' }
    expect((await send(`${gatewayUrl}/api/v1/internal/user/create`, { method: 'PUT', body })).status).toBe(201)
    const login = (with_: object) => send(`${gatewayUrl}/api/v1/internal/user/login`, { body: with_ })
    expect((await login({ email, password })).body).toMatchObject({ data: { user: { first_name: text } } })
    expect((await login({ email, password: text })).status).toBe(401)
    expect((await login({ email: `${email}${text}`, password })).status).toBe(401)
  }
})
