import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import type { UserActor } from '@tapeline/contracts/actor'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { type Call, callAs } from '@tapeline/testing/call-as'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../test/app.fixture.ts'

const KEYS = '/api/v1/internal/api-keys'
let isFlagOn = true
const { app, close } = await openTestApp({ settings: Object.assign(fixedSettings(), { isOn: () => isFlagOn }) })
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

test('while the flag api_key_management is off, keys are only revoked and deleted, and old secrets ended', async () => {
  const actor = someUser()
  const create = async () => (await send(actor, 'POST', '', { name: 'ci' })).json<{ data: CreatedKey }>().data.key
  const [one, other] = [await create(), await create()]
  expect((await send(actor, 'POST', `/${one.id}/regenerate`, { grace_seconds: 60 })).statusCode).toBe(200)
  isFlagOn = false
  try {
    const refused = await send(actor, 'PUT', `/${one.id}`, { name: 'more' })
    expect(refused.json()).toMatchObject({ status: 403, code: 'feature.disabled' })
    expect((await send(actor, 'GET', '')).statusCode).toBe(403)
    expect((await send(actor, 'PATCH', `/${one.id}/end-grace`)).statusCode).toBe(200)
    expect((await send(actor, 'PATCH', `/${one.id}/revoke`)).statusCode).toBe(200)
    expect((await send(actor, 'DELETE', `/${other.id}/delete`)).statusCode).toBe(200)
  } finally {
    isFlagOn = true
  }
})
