import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'

const LIST = '/api/v1/trades/list'

let edge: Edge
let gateway: TestGateway
let account: TestAccount

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge)
})
beforeEach(() => {
  account = addAccount(edge)
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

const withKey = () => ({ authorization: `Bearer ${account.apiKey}` })
const lastUsage = () =>
  waitUntil('the event is written', () => gateway.usage().findLast(({ account_id }) => account_id === account.id))

test('values that a service reports for the usage event are not forwarded', async () => {
  edge.upstream = (_request, reply) => {
    reply.writeHead(400, {
      'x-error-code': 'filter.invalid',
      'x-error-fields': '[{"field":"/limit","rule":"maximum","limit":1000}]',
      'x-rows-returned': '12',
      'content-type': 'application/problem+json',
    })
    reply.end('{}')
  }
  const response = await fetch(`${gateway.url}${LIST}`, { headers: withKey() })
  const internal = ['x-error-code', 'x-error-fields', 'x-rows-returned'].map((name) => response.headers.get(name))
  expect([response.status, ...internal]).toEqual([400, null, null, null])
  expect(await lastUsage()).toMatchObject({
    status: 400,
    code: 'filter.invalid',
    rejected_fields: [{ field: '/limit', rule: 'maximum', limit: 1_000 }],
    rows_returned: 12,
    route: LIST,
    key_id: edge.keys.get(account.kid)?.key_id,
  })
})

test.each(['not JSON', '{"field":"/limit"}', '[{"field":1}]', `[{"field":"${'a'.repeat(200)}"}]`])(
  'rejected fields that a service reports as %s never reach the event',
  async (reported) => {
    edge.upstream = (_request, reply) => {
      reply.writeHead(400, { 'x-error-code': 'filter.invalid', 'x-error-fields': reported }).end('{}')
    }
    const response = await fetch(`${gateway.url}${LIST}`, { headers: withKey() })
    expect([response.status, response.headers.get('x-error-fields')]).toEqual([400, null])
    const usage = await lastUsage()
    expect(usage).toMatchObject({ status: 400, code: 'filter.invalid' })
    expect(usage).not.toHaveProperty('rejected_fields')
  },
)

test.each([
  ['HEAD', 200],
  ['GET', 204],
  ['GET', 304],
])('%s answered %i has no body', async (method, status) => {
  edge.upstream = (_request, reply) => reply.writeHead(status, { etag: '"1"' }).end()
  const response = await fetch(`${gateway.url}${LIST}`, { method, headers: withKey() })
  expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([status, '"1"', ''])
})
