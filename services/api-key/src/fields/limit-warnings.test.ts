import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { type Call, callAs } from '@tapeline/testing/call-as'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'

const KEYS = '/api/v1/internal/api-keys'
const settings = Object.assign(fixedSettings(), { tiers: () => tierDocuments })
const { app, close } = await openTestApp({ settings })
afterAll(close)

const actor = someUser({ tier: 'free' })

async function send(method: Call['method'], url: string, body: object, headers: Call['headers'] = {}) {
  return (await callAs(app, 'api-key', actor, { method, url, body, headers })).json().data
}

test("a key limit above the plan's is stored, and every response names the limit that applies instead", async () => {
  const { requestsPerMinute, burstLimit } = tierDocuments.free.rateLimits
  const rate_limits = { requestsPerMinute: requestsPerMinute + 1, burstLimit }
  const warning = {
    code: 'api_key.limit_above_plan',
    field: '/rate_limits/requestsPerMinute',
    limit: requestsPerMinute,
    message: expect.stringContaining(
      `above the limit of the Free plan: ${requestsPerMinute} requests per minute apply`,
    ),
  }
  const created = await send('POST', KEYS, { name: 'ci', rate_limits })
  expect(created).toMatchObject({ key: { rate_limits }, warnings: [warning] })
  const retried = { 'idempotency-key': 'above-plan' }
  for (let n = 0; n < 2; n += 1) {
    expect(await send('POST', KEYS, { name: 'once', rate_limits }, retried)).toMatchObject({ warnings: [warning] })
  }
  const path = `${KEYS}/${created.key.id}`
  expect(await send('PUT', path, { name: 'other' })).toMatchObject({ warnings: [warning] })
  expect(await send('PUT', path, { rate_limits: { requestsPerMinute } })).not.toHaveProperty('warnings')
  const proposed = await send('PUT', `${path}/shadow`, { rate_limits })
  const pointer = '/shadow_limits/rate_limits/requestsPerMinute'
  expect(proposed.warnings).toEqual([{ ...warning, field: pointer }])
})

test.each([
  ['/rate_limits', { rate_limits: {} }],
  ['/rate_limits/concurrentRequests', { rate_limits: { concurrentRequests: 0 } }],
  ['/rate_limits/perWeek', { rate_limits: { perWeek: 5 } }],
  ['/rate_limits', {}],
  ['/name', { rate_limits: { requestsPerDay: 5 }, name: 'other' }],
])('proposed limits are validated like those of a key: %s of %j', async (field, body) => {
  const owner = someUser()
  const call = async (method: Call['method'], url: string, sent?: object) =>
    (await callAs(app, 'api-key', owner, { method, url, ...(sent && { body: sent }) })).json()
  const { key } = (await call('POST', KEYS, { name: 'ci' })).data
  const failed = await call('PUT', `${KEYS}/${key.id}/shadow`, body)
  expect(failed).toMatchObject({ code: 'request.invalid', errors: [{ field }] })
  expect((await call('GET', `${KEYS}/${key.id}`)).data.key).toEqual(key)
})
