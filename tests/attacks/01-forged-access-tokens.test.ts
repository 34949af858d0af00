import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { PublicKeys } from '@tapeline/contracts/identity/access-token'
import { listTrades, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { createPublicKey } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { genuineSigningKey, partsOf, type Parts, signRs256, unsigned } from './forge-token.ts'

const platform = runningPlatform()
const { gatewayUrl, serviceUrls } = platform
const own = generateKeyPairSync('rsa', { modulusLength: 2048 })

let account: TestAccount
let genuine: Parts
let genuineKey: KeyObject
let publicJwk: PublicKeys['keys'][number]

beforeAll(async () => {
  account = await signUpUser(gatewayUrl)
  genuine = partsOf(account.jwtToken)
  genuineKey = await genuineSigningKey(platform, genuine.header['kid'])
  const { body } = await send<PublicKeys>(`${serviceUrls.identity}/.well-known/jwks.json`)
  const found = body.keys.find(({ kid }) => kid === genuine.header['kid'])
  if (found === undefined) throw new Error('identity does not publish the key it signs with')
  publicJwk = found
})

const statusWith = async (token: string): Promise<number> =>
  (await send(`${gatewayUrl}/api/v1/internal/user/details`, { token })).status

async function expectRefused(token: string): Promise<void> {
  expect(await statusWith(token)).toBe(401)
  expect((await listTrades(gatewayUrl, token)).status).toBe(401)
}

const withHeader = (more: Record<string, unknown>): Parts => ({ ...genuine, header: { ...genuine.header, ...more } })
const withClaims = (more: Record<string, unknown>): Parts => ({ ...genuine, claims: { ...genuine.claims, ...more } })

test('a token with a valid signature and correct claims opens the dashboard', async () => {
  expect(await statusWith(account.jwtToken)).toBe(200)
  expect(await statusWith(signRs256(withClaims({ jti: crypto.randomUUID() }), genuineKey))).toBe(200)
})

test.each(['none', 'None', 'NONE', ''])('a token without a signature is rejected: alg "%s"', async (alg) => {
  const parts = withHeader({ alg })
  await expectRefused(`${unsigned(parts)}.`)
  await expectRefused(unsigned(parts))
  await expectRefused(`${unsigned(parts)}.${account.jwtToken.split('.')[2]}`)
})

test('a token signed by HMAC with the public key as its secret is rejected', async () => {
  const key = createPublicKey({ key: publicJwk, format: 'jwk' })
  const pem = key.export({ format: 'pem', type: 'spki' }).toString()
  const secrets = [pem, pem.trim(), key.export({ format: 'der', type: 'spki' }), JSON.stringify(publicJwk), '']
  for (const alg of ['HS256', 'HS512']) {
    const payload = unsigned(withHeader({ alg }))
    for (const secret of secrets) {
      const mac = createHmac(alg === 'HS256' ? 'sha256' : 'sha512', secret)
      await expectRefused(`${payload}.${mac.update(payload).digest('base64url')}`)
    }
  }
})

test('a token cannot contain or select its own verification key', async () => {
  const jwk = { ...own.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'mine' }
  const headers = [
    {},
    { jwk },
    { jku: 'http://127.0.0.1:9/jwks.json' },
    { x5u: 'http://127.0.0.1:9/cert.pem' },
    { x5c: [own.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')] },
  ]
  for (const header of headers) {
    await expectRefused(signRs256(withHeader(header), own.privateKey))
    await expectRefused(signRs256(withHeader({ ...header, kid: 'mine' }), own.privateKey))
  }
  for (const kid of ['', '../../../dev/null', "' or 1=1 --", '__proto__', null, ['a']]) {
    await expectRefused(signRs256(withHeader({ kid }), own.privateKey))
  }
})

test('a genuine token with an unknown critical extension is rejected', async () => {
  await expectRefused(signRs256(withHeader({ crit: ['b64'], b64: false }), genuineKey))
  await expectRefused(signRs256(withHeader({ crit: ['x'], x: 1 }), genuineKey))
})

test.each(['exp', 'iat', 'aud', 'iss', 'sub', 'sid', 'jti'])('a genuine token without %s is rejected', async (name) => {
  const { [name]: _left, ...claims } = genuine.claims
  await expectRefused(signRs256({ ...genuine, claims }, genuineKey))
})

test.each([
  ['another audience', { aud: 'another-client' }],
  ['another issuer', { iss: 'another-client' }],
  ['an end in the past', { iat: 1_600_000_000, exp: 1_600_000_900 }],
  ['an end that is not a number', { exp: '9999999999' }],
  ['a beginning that has not come', { nbf: 9_999_999_999 }],
  ['an unknown role', { role: 'root' }],
])('a genuine token with %s is rejected', async (_what, claims) => {
  await expectRefused(signRs256(withClaims(claims), genuineKey))
})

test('a genuine token of another type is rejected', async () => {
  const { typ: _left, ...header } = genuine.header
  await expectRefused(signRs256({ ...genuine, header }, genuineKey))
  for (const typ of ['JWT', 'logout+jwt']) await expectRefused(signRs256(withHeader({ typ }), genuineKey))
})

test('a changed claim breaks the signature', async () => {
  const [, , signature] = account.jwtToken.split('.')
  await expectRefused(`${unsigned(withClaims({ role: 'admin' }))}.${signature}`)
  await expectRefused(`${unsigned(withClaims({ sub: crypto.randomUUID() }))}.${signature}`)
})

test('the role claimed in a token is ignored', async () => {
  const { body } = await send(`${gatewayUrl}/api/v1/internal/user/details`, {
    token: signRs256(withClaims({ role: 'admin' }), genuineKey),
  })
  expect(body).toMatchObject({ data: { role: 'user', user: { is_superuser: false } } })
})

test('a refresh token is rejected as access token', async () => {
  await expectRefused(account.refreshToken)
})
