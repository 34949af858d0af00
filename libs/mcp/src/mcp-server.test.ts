import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { json, problem, startApiServer } from '@tapeline/testing/programs/api-server'

/** Stated in the README. */
const ANSWER_BYTES_MAX = 100_000
const main = join(import.meta.dirname, 'main.ts')
const execArgs = ['--conditions=tapeline-source', main]
const KEY = 'tl_test_marketdata'
const SERVICE_KEY = 'tl_svc_account'
const TRADES = '/api/v1/trades/list'
const READING = ['list_instruments', 'list_trades', 'list_bars', 'read_book', 'read_limits']
const OF_THE_ACCOUNT = ['read_usage', 'list_requests', 'explain_request']

const trade = (n: number, note = '') => ({ id: `t${n}${note}`, price: `${n}.10`, size: '0.10', sequence: String(n) })
const page = (data: object[], next_cursor: string | null = null) => ({
  data,
  next_cursor,
  has_more: next_cursor !== null,
  complete_through: null,
  coverage: [] as object[],
  warnings: [] as object[],
  request_id: 'a1',
})

async function connect(url: string, keys: Record<string, string> = {}): Promise<Client> {
  const env = { TAPELINE_URL: url, TAPELINE_KEY: KEY, ...keys }
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: execArgs, env }))
  onTestFinished(async () => client.close())
  return client
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = (await client.callTool({ name, arguments: args })) as CallToolResult
  const [first] = content
  if (first?.type !== 'text') throw new TypeError('The tool did not answer text.')
  return { isError, text: first.text, body: JSON.parse(first.text) as Record<string, unknown> }
}

test('without a service key there are only tools that read market data; all are marked as read-only', async () => {
  const { url } = await startApiServer({})
  const { tools } = await (await connect(url)).listTools()
  expect(tools.map(({ name }) => name)).toEqual(READING)
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
  const withService = await (await connect(url, { TAPELINE_SERVICE_KEY: SERVICE_KEY })).listTools()
  expect(withService.tools.map(({ name }) => name)).toEqual([...READING, ...OF_THE_ACCOUNT])
})

test('by default a few trades are returned, newest first; only a limit is sent with a cursor, which contains the filter', async () => {
  const { url, requests } = await startApiServer({ [TRADES]: json(page([trade(1)], 'next')) })
  const client = await connect(url)
  const first = await call(client, 'list_trades', { symbols: ['BTC-USDT'], side: 'buy' })
  expect(first.body).toMatchObject({ data: [trade(1)], next_cursor: 'next', has_more: true, request_id: 'a1' })
  await call(client, 'list_trades', { symbols: ['BTC-USDT'], side: 'buy', cursor: 'next', limit: 10 })
  expect(requests.map(({ body }) => body)).toEqual([
    { symbols: ['BTC-USDT'], side: 'buy', order: 'desc', limit: 50 },
    { cursor: 'next', limit: 10 },
  ])
  expect(requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
})

test.each([
  ['list_trades', TRADES],
  ['list_bars', '/api/v1/trades/bars'],
])('%s passes on why rows are missing, also when there are none', async (tool, path) => {
  const part = (state: string, reason: string | null) => ({ venue: 'sim', symbol: 'BTC-USDT', state, reason })
  const [gap, none] = [part('gap', 'connection_lost'), part('none', 'outside_of_what_is_stored')]
  const facts = { complete_through: '2026-11-26T00:00:00Z', warnings: [{ code: 'late', message: 'It is late.' }] }
  const coverage = [part('stored', null), none, gap]
  const { url } = await startApiServer({ [path]: json({ ...page([]), ...facts, coverage }) })
  const client = await connect(url)
  expect((await call(client, tool)).body).toMatchObject({ data: [], ...facts, coverage: [gap, none], request_id: 'a1' })
})

test('the coverage of an answer is bounded', async () => {
  const gap = { venue: 'sim', symbol: 'BTC-USDT', state: 'gap', reason: 'connection_lost' }
  const { url } = await startApiServer({ [TRADES]: json({ ...page([trade(1)]), coverage: Array(1_000).fill(gap) }) })
  const { body } = await call(await connect(url), 'list_trades')
  expect(body).toMatchObject({ data: [trade(1)], coverage: Array(100).fill(gap), coverage_omitted: 900 })
})

test('the account is read with the service key, market data never', async () => {
  const { url, requests } = await startApiServer({
    '/api/v1/internal/requests/r%2F7': json({ success: true, data: { id: 'r/7' } }),
    '/api/v1/internal/apikeyaudit/dashboard-metrics': json({ success: true, data: { total: 3 } }),
    '/api/v1/limits': json({ success: true, data: { tier: 'pro' } }),
  })
  const client = await connect(url, { TAPELINE_SERVICE_KEY: SERVICE_KEY })
  expect((await call(client, 'explain_request', { id: 'r/7' })).body).toMatchObject({ data: { id: 'r/7' } })
  expect((await call(client, 'read_usage')).body).toMatchObject({ data: { total: 3 } })
  expect((await call(client, 'read_limits')).body).toEqual({ tier: 'pro' })
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(
    [SERVICE_KEY, SERVICE_KEY, KEY].map((key) => `Bearer ${key}`),
  )
})

test('an unknown argument is rejected instead of ignored', async () => {
  const { url, requests } = await startApiServer({})
  const client = await connect(url, { TAPELINE_SERVICE_KEY: SERVICE_KEY })
  // Without arguments of its own there is nothing to mistake.
  const names = [...READING, ...OF_THE_ACCOUNT].filter((name) => name !== 'read_limits')
  for (const name of names) {
    const args = { venue: 'sim', symbol: 'BTC-USDT', id: 'r1', unknown: 1 }
    const { isError, content } = (await client.callTool({ name, arguments: args })) as CallToolResult
    expect({ name, isError }).toEqual({ name, isError: true })
    expect(JSON.stringify(content)).toContain('unknown')
  }
  expect(requests).toEqual([])
  const { tools } = await client.listTools()
  const strict = tools.filter(({ inputSchema }) => inputSchema['additionalProperties'] === false)
  expect(strict.map(({ name }) => name)).toEqual(names)
})

test('logged requests are continued with a cursor', async () => {
  const { url, requests } = await startApiServer({ '/api/v1/internal/requests': json({ data: { requests: [] } }) })
  const client = await connect(url, { TAPELINE_SERVICE_KEY: SERVICE_KEY })
  await call(client, 'list_requests', { cursor: 'next' })
  expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({ limit: '20', cursor: 'next' })
})

test('a failure has code, detail and request id, and no key', async () => {
  const errors = [{ field: '/limit', message: 'limit must be 1 or more' }]
  const { url } = await startApiServer({ [TRADES]: problem(400, 'request.invalid', errors) })
  const { isError, body, text } = await call(await connect(url), 'list_trades')
  expect(isError).toBe(true)
  expect(body).toEqual({
    code: 'request.invalid',
    detail: 'It is request.invalid.',
    status: 400,
    request_id: 'r1',
    errors,
  })
  expect(text).not.toContain(KEY)
})

test('an answer is bounded in rows and bytes', async () => {
  const note = 'x'.repeat(1_000)
  const many = Array.from({ length: 500 }, (_, n) => trade(n, note))
  const { url, requests } = await startApiServer({ [TRADES]: json(page(many, 'next')) })
  const client = await connect(url)
  const { text, body } = await call(client, 'list_trades', { limit: 500 })
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ANSWER_BYTES_MAX)
  const { data, omitted } = body as { data: unknown[]; omitted: number }
  expect(data.length + omitted).toBe(500)
  expect(data).toEqual(many.slice(0, data.length))
  expect(body).toMatchObject({ has_more: true, next_cursor: null })
  const refused = (await client.callTool({ name: 'list_trades', arguments: { limit: 501 } })) as CallToolResult
  expect(refused.isError).toBe(true)
  expect(requests).toHaveLength(1)
})

test.each([
  { TAPELINE_KEY: 'tl_live_sec\u2026ret' },
  { TAPELINE_KEY: KEY, TAPELINE_SERVICE_KEY: 'tl_svc_sec ret' },
  { TAPELINE_KEY: KEY, TAPELINE_URL: 'localhost:3001' },
])('with unusable settings it prints why and fails: %o', (env) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, execArgs, { encoding: 'utf8', env })
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^(The API key contains characters|baseUrl must begin with) [^\n]*\n$/)
  expect(stderr).not.toContain('_sec')
})

test('without a key it prints how to set one and fails', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, execArgs, { encoding: 'utf8', env: {} })
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toBe('Set TAPELINE_KEY to an API key, and TAPELINE_URL to the address of the gateway.\n')
})
