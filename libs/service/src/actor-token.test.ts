import { someUser } from '@tapeline/testing/actors'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { expect, test } from 'vitest'
import { ACTOR_TOKEN_LIFE_MS, signActorToken, verifyActorToken } from './actor-token.ts'
import { readInternalKeys } from './internal-keys.ts'

const actor = someUser()
const nowMs = 1_700_000_000_000
const token = signActorToken(testInternalKeys, { caller: 'gateway', audience: 'audit', actor, nowMs })

test('a valid token returns the actor it was signed for', () => {
  expect(verifyActorToken(testInternalKeys, { token, audience: 'audit', nowMs })).toEqual({ actor, caller: 'gateway' })
})

test('a token is valid for one audience, for thirty seconds, and unmodified', () => {
  expect(verifyActorToken(testInternalKeys, { token, audience: 'config', nowMs })).toBeUndefined()
  const late = nowMs + ACTOR_TOKEN_LIFE_MS + 1
  expect(verifyActorToken(testInternalKeys, { token, audience: 'audit', nowMs: late })).toBeUndefined()
  const [payload = '', mac = ''] = token.split('.')
  const admin = JSON.parse(Buffer.from(payload, 'base64url').toString())
  admin.actor.role = 'admin'
  const forged = `${Buffer.from(JSON.stringify(admin)).toString('base64url')}.${mac}`
  expect(verifyActorToken(testInternalKeys, { token: forged, audience: 'audit', nowMs })).toBeUndefined()
})

test('the key of another pair of processes cannot sign', () => {
  const other = readInternalKeys(`gateway>audit=${Buffer.alloc(32, 9).toString('base64url')}`)
  expect(verifyActorToken(other, { token, audience: 'audit', nowMs })).toBeUndefined()
  expect(() => signActorToken(other, { caller: 'gateway', audience: 'config', actor, nowMs })).toThrow('gateway>config')
})

test.each(['', '.', 'a.b', 'x'.repeat(10_000)])('malformed token %# is rejected', (garbage) => {
  expect(verifyActorToken(testInternalKeys, { token: garbage, audience: 'audit', nowMs })).toBeUndefined()
})
