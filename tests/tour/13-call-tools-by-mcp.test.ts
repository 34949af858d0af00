import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import type { LimitsReport } from '@tapeline/contracts/gateway/http'
import { send, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { untilSeeded } from '../platform/until-seeded.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const LOGGED_WITHIN_MS = 60_000
const KEYS = `${gatewayUrl}/api/v1/internal/api-keys`
const READING = ['list_instruments', 'list_trades', 'list_bars', 'read_book', 'read_limits']
const OF_THE_ACCOUNT = ['read_usage', 'list_requests', 'explain_request']
let token = ''

beforeAll(async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  // The repeated calls below would use up the limits of a free account.
  await setLimits(platform, user.id, {})
  token = jwtToken
})

async function createKey(body: object): Promise<string> {
  return (await send<{ data: CreatedKey }>(KEYS, { token, body })).body.data.apiKey
}

async function connect(credential: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'tour', version: '1' })
  const requestInit = { headers: { ...headers, authorization: `Bearer ${credential}` } }
  // The library's type of the optional session id does not satisfy exactOptionalPropertyTypes.
  const transport = new StreamableHTTPClientTransport(new URL(`${gatewayUrl}/mcp`), { requestInit })
  await client.connect(transport as Parameters<Client['connect']>[0])
  onTestFinished(async () => client.close())
  return client
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = (await client.callTool({ name, arguments: args })) as CallToolResult
  const [first] = content
  if (first?.type !== 'text') throw new TypeError('The tool did not answer text.')
  return { isError, body: JSON.parse(first.text) as Record<string, unknown> }
}

async function usedThisMonth(apiKey: string): Promise<number> {
  const { body } = await send<{ data: LimitsReport }>(`${gatewayUrl}/api/v1/limits`, { token: apiKey })
  return body.data.windows.find(({ policy, scope }) => policy === 'month' && scope === 'account')?.used ?? -1
}

test('a model reads trades with an API key; each tool call counts once, protocol messages do not', async () => {
  const apiKey = await createKey({ name: 'model' })
  await untilSeeded([gatewayUrl], apiKey)
  const before = await usedThisMonth(apiKey)
  const client = await connect(apiKey)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(READING)
  const { body, isError } = await call(client, 'list_trades', { symbols: ['BTC-USDT'], limit: 3 })
  expect(isError).toBe(false)
  expect(body['data']).toHaveLength(3)
  expect(await usedThisMonth(apiKey)).toBe(before + 1)
  const unknown = await call(client, 'list_trades', { symbols: ['NO-SUCH'] })
  expect(unknown).toMatchObject({ isError: true, body: { code: 'symbol.unknown' } })
})

test('with a service key it explains a request, and reads no market data', async () => {
  const client = await connect(
    await createKey({ name: 'support', kind: 'service', scopes: ['usage:read', 'requests:read'] }),
  )
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([...READING, ...OF_THE_ACCOUNT])
  const rejected = async () => {
    const { body } = await call(client, 'list_requests', { outcome: 'client_error' })
    const { requests } = (body['data'] ?? { requests: [] }) as { requests: { id: string; code: string }[] }
    return requests.find(({ code }) => code === 'symbol.unknown')
  }
  const logged = await waitUntil('the rejected call is in the log', rejected, LOGGED_WITHIN_MS)
  const explained = await waitUntil('the request is explained', async () => {
    const { body } = await call(client, 'explain_request', { id: logged.id })
    return body['data']
  })
  expect(explained).toMatchObject({ code: 'symbol.unknown', explanation: { verdict: 'admitted' } })
  expect(await call(client, 'list_trades')).toMatchObject({ isError: true, body: { status: 403 } })
})

test("a key's address list applies to its tools, whatever address the client claims", async () => {
  const apiKey = await createKey({ name: 'elsewhere', networks: ['192.0.2.0/24'] })
  const claimed = { 'x-internal-relayed-for': `${Date.now() + 10_000} 192.0.2.1 c2lnbmF0dXJl` }
  await expect(connect(apiKey)).rejects.toThrow('api_key.address_not_allowed')
  await expect(connect(apiKey, claimed)).rejects.toThrow('api_key.address_not_allowed')
})

test('calls without a credential or with another method are rejected', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  expect((await send(`${gatewayUrl}/mcp`, { body })).status).toBe(401)
  expect((await send(`${gatewayUrl}/mcp`, { token: await createKey({ name: 'get' }) })).status).toBe(405)
})
