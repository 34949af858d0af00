import type { Actor } from '@tapeline/contracts/actor'
import { MASKED_API_KEY } from '@tapeline/contracts/api-key/http'
import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { makeKey } from '../../test/deps.fixture.ts'

const { deps, app, close } = await openTestApp()
afterAll(close)

const request = (actor: Actor, accountId: string) =>
  callAs(app, 'api-key', actor, { method: 'GET', url: `/internal/accounts/${accountId}/keys` })

test('identity can list an account’s keys as their owner sees them, without secrets; other callers cannot', async () => {
  const owner = someUser({ role: 'admin' })
  const { apiKey } = await makeKey(deps, owner, { name: 'ci', networks: ['203.0.113.0/24'] })
  await makeKey(deps, someUser(), { name: 'another user’s' })
  const answer = await request({ kind: 'service', service: 'identity' }, owner.userId)
  expect(answer.json()).toMatchObject({
    apiKeys: [{ name: 'ci', api_key: MASKED_API_KEY, networks: ['203.0.113.0/24'] }],
  })
  expect(answer.json().apiKeys).toHaveLength(1)
  expect(answer.body).not.toContain(apiKey.split('_')[3])
  for (const actor of [owner, { kind: 'service', service: 'gateway' } as const]) {
    expect((await request(actor, owner.userId)).statusCode).toBe(404)
  }
})
