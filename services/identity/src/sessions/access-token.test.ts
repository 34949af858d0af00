import { createPublicKey, createVerify, randomUUID } from 'node:crypto'
import { createServer } from '@tapeline/service/create-server'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { createAccessTokenSigner } from './access-token.ts'
import { createSigningKeys, rotateSigningKeys } from './signing-keys.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = Date.UTC(2026, 0, 31, 12)
const SECRET = 'a secret of the test, long enough for anyone'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)

let nowMs = START_MS
const options = { db, now: () => new Date(nowMs), secret: SECRET }
beforeEach(async () => {
  nowMs = START_MS
  await db.deleteFrom('signing_key').execute()
})

/** Simulates a new process with an empty cache. */
async function newProcess() {
  const keys = createSigningKeys(options)
  const app = await createServer({
    name: 'identity',
    logger: silentLogger,
    internalKeys: testInternalKeys,
    checks: {},
    now: options.now,
  })
  const sign = await createAccessTokenSigner(app, keys, { now: options.now, newId: () => randomUUID() })
  return { keys, sign }
}

const subject = { userId: randomUUID(), role: 'tester' as const, sessionId: randomUUID() }

function readToken(token: string) {
  const [head = '', payload = '', signature = ''] = token.split('.')
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { header: parse(head), claims: parse(payload), signed: `${head}.${payload}`, signature }
}

test('a token has the type, key and claims that the gateway requires, and no personal data', async () => {
  const { sign, keys } = await newProcess()
  const { jwtToken, expiresAt } = await sign(subject)
  const { header, claims, signed, signature } = readToken(jwtToken)
  const published = await keys.published()
  expect(header).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: published.keys[0]?.kid })
  expect(claims).toEqual({
    iss: 'tapeline-identity',
    aud: 'tapeline',
    sub: subject.userId,
    sid: subject.sessionId,
    jti: expect.any(String),
    iat: START_MS / 1_000,
    exp: START_MS / 1_000 + 900,
    role: 'tester',
  })
  expect(expiresAt).toBe(START_MS + 900_000)
  const key = createPublicKey({ key: { ...published.keys[0] }, format: 'jwk' })
  expect(createVerify('RSA-SHA256').update(signed).verify(key, signature, 'base64url')).toBe(true)
})

test('processes that start concurrently use one key', async () => {
  const processes = await Promise.all([newProcess(), newProcess(), newProcess()])
  const keys = await Promise.all(processes.map(({ keys: own }) => own.current()))
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1)
})

test('a new key is published an hour before it signs, the old one for a day after', async () => {
  const kidOf = async () => readToken((await (await newProcess()).sign(subject)).jwtToken).header.kid
  const publishedKids = async () => (await (await newProcess()).keys.published()).keys.map(({ kid }) => kid)
  const first = await kidOf()
  nowMs += 90 * DAY_MS - 1
  await rotateSigningKeys(options)
  expect(await publishedKids()).toEqual([first])
  nowMs += 1
  await Promise.all([rotateSigningKeys(options), rotateSigningKeys(options)])
  const [second] = await publishedKids()
  expect(await publishedKids()).toEqual([second, first])
  expect(await kidOf()).toBe(first)
  nowMs += HOUR_MS
  expect(await kidOf()).toBe(second)
  await rotateSigningKeys(options)
  expect(await publishedKids()).toEqual([second, first])
  nowMs += DAY_MS
  await rotateSigningKeys(options)
  expect(await publishedKids()).toEqual([second])
})

test('a new secret before the old one replaces the signing key: the new key is readable without the old secret', async () => {
  const { kid: old } = await createSigningKeys(options).current()
  const secret = ['a new secret, which is just as long as the other', SECRET] as const
  await rotateSigningKeys({ ...options, secret })
  await rotateSigningKeys({ ...options, secret })
  expect((await createSigningKeys({ ...options, secret }).published()).keys).toHaveLength(2)
  expect(await createSigningKeys({ ...options, secret }).current()).toMatchObject({ kid: old })
  nowMs += HOUR_MS
  const { kid } = await createSigningKeys({ ...options, secret: secret[0] }).current()
  expect(kid).not.toBe(old)
})

test('private keys cannot be decrypted with another secret', async () => {
  await createSigningKeys(options).current()
  const { sealed_private_key } = await db.selectFrom('signing_key').selectAll().executeTakeFirstOrThrow()
  expect(sealed_private_key.toString('latin1')).not.toContain('PRIVATE KEY')
  const other = createSigningKeys({ ...options, secret: 'another secret, which is just as long as it' })
  await expect(other.current()).rejects.toThrow('IDENTITY_SECRET cannot decrypt the signing key')
})
