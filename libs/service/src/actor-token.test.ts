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

test('a key is replaced in steps during which every process accepts the tokens of every other', () => {
  const keys = (...bytes: number[]) =>
    readInternalKeys(bytes.map((byte) => `gateway>audit=${Buffer.alloc(32, byte).toString('base64url')}`).join(','))
  const [OLD, NEW] = [1, 2]
  const accepts = (caller: ReturnType<typeof keys>, audience: ReturnType<typeof keys>) => {
    const signed = signActorToken(caller, { caller: 'gateway', audience: 'audit', actor, nowMs })
    return verifyActorToken(audience, { token: signed, audience: 'audit', nowMs }) !== undefined
  }
  const steps = [keys(OLD), keys(OLD, NEW), keys(NEW, OLD), keys(NEW)]
  const isAccepted = steps.map((caller) => steps.map((audience) => accepts(caller, audience)))
  expect(isAccepted).toEqual([
    [true, true, true, false],
    [true, true, true, false],
    [false, true, true, true],
    [false, true, true, true],
  ])
})

test.each(['', '.', 'a.b', 'x'.repeat(10_000)])('malformed token %# is rejected', (garbage) => {
  expect(verifyActorToken(testInternalKeys, { token: garbage, audience: 'audit', nowMs })).toBeUndefined()
})
