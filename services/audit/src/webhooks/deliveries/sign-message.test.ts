import { expect, test } from 'vitest'
import { newWebhookSecret, secretBytes } from '../endpoints/webhook-secret.ts'
import { signatureHeaders } from './sign-message.ts'

/** From the libraries of Standard Webhooks: libraries/javascript/src/webhook.test.ts, "sign function works". */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampS: 1_614_265_330, body: '{"test": 2432232314}' },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

test('the signature is that of the Standard Webhooks test vector', () => {
  expect(signatureHeaders(VECTOR.message, [VECTOR.secret])).toEqual({
    'webhook-id': VECTOR.message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': VECTOR.signature,
  })
})

test('with two secrets there are two signatures, separated by a space', () => {
  const other = newWebhookSecret()
  const headers = signatureHeaders(VECTOR.message, [other, VECTOR.secret])
  const [first, second] = headers['webhook-signature'].split(' ')
  expect(second).toBe(VECTOR.signature)
  expect(first).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
})

test('a new secret has 32 random bytes', () => {
  const secrets = Array.from({ length: 50 }, newWebhookSecret)
  expect(new Set(secrets).size).toBe(50)
  for (const secret of secrets) expect(secretBytes(secret)).toHaveLength(32)
})
