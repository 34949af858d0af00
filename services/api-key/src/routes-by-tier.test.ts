import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import type { UserActor } from '@tapeline/contracts/actor'
import { someUser } from '@tapeline/testing/actors'
import { type Call, callAs } from '@tapeline/testing/call-as'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../test/app.fixture.ts'

const KEYS = '/api/v1/internal/api-keys'
const { app, close } = await openTestApp()
afterAll(close)

const send = (actor: UserActor, method: Call['method'], path: string, body?: unknown) =>
  callAs(app, 'api-key', actor, { method, url: KEYS + path, body })

test('without key management in the tier keys are only read, revoked and deleted', async () => {
  const actor = someUser()
  const { key } = (await send(actor, 'POST', '', { name: 'ci' })).json<{ data: CreatedKey }>().data
  const without = { ...actor, features: ['apiAccess'] }
  const changes: [Call['method'], string, unknown?][] = [
    ['POST', '', { name: 'more' }],
    ['PUT', '/by-external-id/x', { name: 'more' }],
    ['POST', '/bulk', { tag: 'x', action: 'rotate' }],
    ['POST', '/import', { keys: [] }],
    ['PUT', `/${key.id}`, { name: 'other' }],
    ['POST', `/${key.id}/regenerate`],
    ['PUT', `/${key.id}/shadow`, { rate_limits: { requestsPerMinute: 5 } }],
  ]
  for (const [method, path, body] of changes) {
    const refused = await send(without, method, path, body)
    expect(refused.json(), `${method} ${path}`).toMatchObject({ status: 403, code: 'tier.feature_not_included' })
  }
  expect((await send(without, 'GET', '')).json()).toMatchObject({ data: { apiKeys: [{ name: 'ci' }] } })
  expect((await send(without, 'PATCH', `/${key.id}/revoke`)).statusCode).toBe(200)
  expect((await send(without, 'DELETE', `/${key.id}/delete`)).statusCode).toBe(200)
})
