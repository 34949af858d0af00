import type { Actor } from '@tapeline/contracts/actor'
import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { makeKey } from '../../test/deps.fixture.ts'
import { revokeKey } from '../keys/revoke-key.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const clock = { nowMs: Date.now() }
const startMs = clock.nowMs
const after = (ms: number) => new Date(startMs + ms).toISOString()
const { deps, app, close } = await openTestApp({ clock })
afterAll(close)

const list = (actor: Actor, accountId: string) =>
  callAs(app, 'api-key', actor, {
    method: 'GET',
    url: `/internal/accounts/${accountId}/expiring-keys?until=${after(7 * DAY_MS)}`,
  })

test('keys that expire in the period are listed, earliest first, without expired ones', async () => {
  const owner = someUser({ tier: 'pro' })
  const makeUntil = (name: string, expires_at?: string) =>
    makeKey(deps, owner, { name, ...(expires_at === undefined ? {} : { expires_at }) })
  await makeUntil('late', after(19 * DAY_MS))
  await makeUntil('never')
  await makeUntil('in a week', after(7 * DAY_MS - HOUR_MS))
  const soon = await makeUntil('soon', after(DAY_MS))
  await makeUntil('ended', after(1_000))
  const revoked = await makeUntil('revoked', after(DAY_MS))
  await revokeKey(deps, owner, revoked.id)
  await makeKey(deps, someUser(), { name: 'another user’s', expires_at: after(DAY_MS) })
  clock.nowMs += 2_000
  const answer = await list({ kind: 'service', service: 'identity' }, owner.userId)
  expect(answer.statusCode).toBe(200)
  const { keys }: { keys: { name: string; prefix: string; expires_at: string }[] } = answer.json()
  expect(keys.map(({ name }) => name)).toEqual(['soon', 'in a week'])
  expect(keys[0]).toEqual({
    name: 'soon',
    prefix: `tl_live_${soon.kid}`.slice(0, 20),
    expires_at: after(DAY_MS),
  })
})

test('only identity may call it', async () => {
  const owner = someUser({ role: 'admin' })
  for (const actor of [owner, { kind: 'service', service: 'gateway' } as const]) {
    expect((await list(actor, owner.userId)).statusCode).toBe(404)
  }
})
