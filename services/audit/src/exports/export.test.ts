import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { ACTOR_HEADER, signActorToken } from '@tapeline/service/actor-token'
import type { UserActor } from '@tapeline/contracts/actor'
import { someUser } from '@tapeline/testing/actors'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { insertManyRequests } from '../../test/requests.fixture.ts'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import { exportRequests } from './export-requests.ts'

const { app, db, deps, ago, get, record, close } = await openTestApp('2026-03-10T12:34:56.789Z')
const busy = someUser({ tier: 'pro' })
const MANY = 100_000
const PATIENCE_MS = 60_000

beforeAll(async () => {
  await insertManyRequests(db, { accountId: busy.userId, count: MANY, newest: ago(1), everyMs: 10 })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(close)

function open(actor: UserActor, path: string) {
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const token = signActorToken(testInternalKeys, {
    caller: 'gateway',
    audience: 'audit',
    actor,
    nowMs: deps.now().getTime(),
  })
  return httpRequest({ port, path: `/api/v1/internal/${path}`, headers: { [ACTOR_HEADER]: token } }).end()
}

test('an export of a hundred thousand rows contains each row once', async () => {
  const request = open(busy, 'requests/export?format=jsonl')
  const [response] = await once(request, 'response')
  expect(response.headers).toMatchObject({
    'content-type': 'application/jsonl; charset=utf-8',
    'content-disposition': 'attachment; filename="tapeline-requests-2026-03-10.jsonl"',
    'transfer-encoding': 'chunked',
  })
  let [lines, first, last] = [0, '', '']
  let partialLine = ''
  for await (const chunk of response) {
    const parts = (partialLine + String(chunk)).split('\n')
    partialLine = parts.pop() ?? ''
    first ||= parts[0] ?? ''
    last = parts.at(-1) ?? last
    lines += parts.length
  }
  expect([lines, partialLine]).toEqual([MANY, ''])
  const idOf = (line: string): unknown => JSON.parse(line).request_id
  expect([idOf(first), idOf(last)]).toEqual([(1).toString(16), MANY.toString(16)].map((id) => id.padStart(32, '0')))
})

test('a page is read after the previous one was consumed', async () => {
  let pages = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      pages += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const reader = { ...deps, db: db.withPlugin(counting) }
  const body = exportRequests(reader, busy, { format: 'csv' }).body[Symbol.asyncIterator]()
  await body.next()
  expect(pages).toBe(0)
  const { value } = await body.next()
  expect(String(value).split('\r\n')).toHaveLength(1_001)
  const read = pages
  await new Promise((resolve) => setImmediate(resolve))
  expect(pages).toBe(read)
  await body.return?.()
})

test('a client disconnect stops the reading and frees the slot', async () => {
  for (let round = 0; round < 3; round += 1) {
    const request = open(busy, 'requests/export')
    const [response] = await once(request, 'response')
    await once(response, 'data')
    request.destroy()
    await waitUntil(
      'its place is free',
      async () => {
        const [a, b] = [open(busy, 'requests/export'), open(busy, 'requests/export')]
        const answers = await Promise.all([once(a, 'response'), once(b, 'response')])
        for (const one of [a, b]) one.on('error', () => {}).destroy()
        return answers.every(([answer]) => answer.statusCode === 200)
      },
      PATIENCE_MS,
    )
  }
})

test('a third concurrent export of one account is rejected', async () => {
  // Exports of the previous test may still be closing; in that case all three exceed the limit.
  const refused = await waitUntil(
    'two are let in',
    async () => {
      const requests = [1, 2, 3].map(() => open(busy, 'requests/export').on('error', () => {}))
      const answers = await Promise.all(requests.map((request) => once(request, 'response')))
      for (const request of requests) request.destroy()
      const others = answers.filter(([{ statusCode }]) => statusCode !== 200)
      return answers.length - others.length === 2 ? others[0]?.[0] : undefined
    },
    PATIENCE_MS,
  )
  expect(refused.statusCode).toBe(429)
  expect(refused.headers).toMatchObject({ 'retry-after': '5', 'x-error-code': 'export.too_many' })
})

test('the file has one line per row that matches the filter, and no cell that a spreadsheet would execute', async () => {
  const actor = someUser({ tier: 'basic' })
  const own = { account_id: actor.userId, at: ago(3) }
  const denied = deniedUsageEvent(own)
  await record(usageEvent(own), denied, deniedUsageEvent({ at: ago(3) }))
  const { body, headers } = await get(actor, 'requests/export?format=csv&outcome=denied')
  expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
  const [head, ...lines] = body.split('\r\n')
  expect(head).toBe(
    'time,request_id,method,route,status,outcome,code,key_id,key_name,network,latency_ms,bytes_in,bytes_out,rows_returned',
  )
  expect(lines).toEqual([
    `${denied.time},${denied.data.request_id},POST,/api/v1/trades/list,429,denied,limit.minute_exceeded,session,,192.0.2.0/24,0.3,100,2000,`,
    '',
  ])
})

test('usage is exported as one line per bucket', async () => {
  const actor = someUser({ tier: 'pro' })
  await record(
    usageEvent({ account_id: actor.userId, at: ago(30) }),
    deniedUsageEvent({ account_id: actor.userId, at: ago(5) }),
  )
  const { body } = await get(actor, 'apikeyaudit/export?period=24h')
  const [head, ...lines] = body.trimEnd().split('\r\n')
  expect(head).toBe('from,to,total,success,failed,denied,client_errors,server_errors,p50_ms,p95_ms,p99_ms')
  expect(lines).toHaveLength(25)
  expect(lines.map((line) => Number(line.split(',')[2])).reduce((sum, total) => sum + total, 0)).toBe(2)
  const json = await get(actor, 'apikeyaudit/export?period=24h&format=jsonl')
  expect(JSON.parse(json.body.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ denied: 1 })
})

test.each(['requests/export', 'apikeyaudit/export'])('%s requires a tier that includes it', async (call) => {
  const answer = await get(someUser({ tier: 'free' }), call)
  expect(answer.json()).toMatchObject({
    status: 403,
    code: 'tier.feature_not_included',
    message: 'Data export is not part of your plan. See the pricing page for the plan that includes it.',
  })
})
