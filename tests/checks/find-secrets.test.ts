import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { findSecrets } from './find-secrets.ts'

const random = (bytes: number) => randomBytes(bytes).toString('base64url')
const letters = (count: number) => 'A7c9E2g4'.repeat(count).slice(0, count)
const { privateKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

/** Assembled at run time, because the check would otherwise report this file. */
test.each([
  ['a private key', privateKey],
  ['an AWS key', `key = ${'AK' + 'IA'}${letters(16).toUpperCase()}`],
  ['a GitHub token', `${'gh' + 'p_'}${letters(36)}`],
  ['a Slack token', `${'xox' + 'b-'}1234567890-abc`],
  ['a Google key', `${'AI' + 'za'}${letters(35)}`],
  ['a Stripe key', `${'sk_' + 'live_'}${letters(24)}`],
  ['an npm token', `${'npm' + '_'}${letters(36)}`],
  ['a signed token', ['ey' + 'JhbGciOiJSUzI1NiJ9', 'ey' + 'JzdWIiOiIxMjM0NSJ9', letters(40)].join('.')],
  ['an API key of ours', `${'tl_' + 'live_'}${letters(12)}_${letters(32)}_${letters(6)}`],
  ['a password in an address', `DATABASE_URL=postgres://tapeline:${random(24)}@db:5432/x`],
  ['something random under a telling name', `"IDENTITY_SECRET": "${random(48)}"`],
])('%s is found, and shown by its beginning alone', (kind, text) => {
  const found = findSecrets(`first line\n${text}`)
  expect(found.map((one) => one.kind)).toContain(kind)
  expect(found[0]?.line).toBe(2)
  for (const { shown } of found) expect(shown.length).toBeLessThanOrEqual(12)
})

test.each([
  'postgres://user:password@host:5432/name',
  'password: "correct horse battery staple"',
  'token: accessTokenOfTheSignedInUser',
  'secret=${process.env.IDENTITY_SECRET}',
  `-----BEGIN ${'PUBLIC'} KEY-----`,
])('text made of words is not reported: %s', (text) => {
  expect(findSecrets(text)).toEqual([])
})
