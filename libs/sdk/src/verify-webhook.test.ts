import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts'

/** The example of Standard Webhooks: libraries/javascript/src/webhook.test.ts, "sign function works". */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const BODY = '{"test": 2432232314}'
const SIGNED_AT_S = 1_614_265_330
const HEADERS = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': String(SIGNED_AT_S),
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const OTHER = 'Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc='
const at = (offsetS: number) => ({ now: () => new Date((SIGNED_AT_S + offsetS) * 1_000) })
const verify = (headers: object, body = BODY, secret = SECRET, offsetS = 0) =>
  verifyWebhook({ body, headers: { ...headers } }, secret, at(offsetS))

test('the example of Standard Webhooks is genuine, with headers of any kind and the secret with or without prefix', async () => {
  expect(await verify(HEADERS)).toEqual({ test: 2_432_232_314 })
  expect(await verify(HEADERS, BODY, SECRET.slice('whsec_'.length))).toEqual({ test: 2_432_232_314 })
  const inCapitals = Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), value]))
  expect(await verify(inCapitals)).toEqual({ test: 2_432_232_314 })
  const ofAPackage = { get: (name: string) => new Headers(HEADERS).get(name) }
  for (const headers of [new Headers(HEADERS), ofAPackage, HEADERS]) {
    for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)]) {
      expect(await verifyWebhook({ body, headers }, SECRET, at(0))).toEqual({ test: 2_432_232_314 })
    }
  }
})

test('a parsed body is named as the cause', async () => {
  const parsed = JSON.parse(BODY)
  await expect(verifyWebhook({ body: parsed, headers: HEADERS }, SECRET, at(0))).rejects.toThrow(
    'before JSON is parsed',
  )
})

test('one genuine signature among others is enough, as during a rotation', async () => {
  const signatures = [`v1,${OTHER}`, `v2,${OTHER}`, HEADERS['webhook-signature'], `v1,${OTHER}`].join(' ')
  expect(await verify({ ...HEADERS, 'webhook-signature': signatures })).toEqual({ test: 2_432_232_314 })
})

test.each([
  ['another signature', { 'webhook-signature': `v1,${OTHER}` }],
  ['part of the signature', { 'webhook-signature': HEADERS['webhook-signature'].slice(0, 8) }],
  ['an empty signature', { 'webhook-signature': 'v1,' }],
  ['no base64', { 'webhook-signature': 'v1,dawfeoifkpqwoekfpqoekf' }],
  ['another version', { 'webhook-signature': HEADERS['webhook-signature'].replace('v1', 'v2') }],
  ['no signature', { 'webhook-signature': undefined }],
  ['no id', { 'webhook-id': undefined }],
  ['another id', { 'webhook-id': 'msg_other' }],
  ['no timestamp', { 'webhook-timestamp': undefined }],
  ['a timestamp that is none', { 'webhook-timestamp': 'hello' }],
])('%s is rejected', async (_what, headers) => {
  await expect(verify({ ...HEADERS, ...headers })).rejects.toThrow(WebhookVerificationError)
})

test('a changed body and another secret are rejected', async () => {
  await expect(verify(HEADERS, `${BODY} `)).rejects.toThrow(WebhookVerificationError)
  await expect(verify(HEADERS, BODY, `whsec_${OTHER}`)).rejects.toThrow(WebhookVerificationError)
})

test('a webhook is genuine for five minutes, into the past and the future', async () => {
  for (const offsetS of [-300, 300]) expect(await verify(HEADERS, BODY, SECRET, offsetS)).toBeDefined()
  for (const offsetS of [-301, 301]) {
    await expect(verify(HEADERS, BODY, SECRET, offsetS)).rejects.toThrow('too far from now')
  }
})

test('characters beyond ASCII are signed as UTF-8', async () => {
  const body = '{"name":"clé 🔑"}'
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(`${HEADERS['webhook-id']}.${SIGNED_AT_S}.${body}`).digest('base64')
  expect(await verify({ ...HEADERS, 'webhook-signature': `v1,${mac}` }, body)).toEqual({ name: 'clé 🔑' })
})
