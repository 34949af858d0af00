import { send, signUpUser } from '@tapeline/testing/api-client'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const WEBHOOKS = `${gatewayUrl}/api/v1/internal/webhooks`
const WITHIN_MS = 60_000
/** Never registered (RFC 2606), so nothing is sent to anyone. */
const NOWHERE = 'https://webhooks.tapeline.example/in'
const endpoint = (url: string) => ({ name: 'inside', url, event_types: ['key.created'] })

const INNER = [
  'http://127.0.0.1:3013/internal/seeds',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.0.0.1/',
  'https://0.0.0.0/',
  'https://localhost:3013/',
  'https://localhost./',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://metadata.google.internal/',
  'https://identity.tapeline.svc.cluster.local/',
  'https://postgres/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[fd00::1]/',
  'https://[64:ff9b::7f00:1]/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_flushall',
]

test('an endpoint at an internal address is rejected at creation and at every change', async () => {
  const { jwtToken: token, user } = await signUpUser(gatewayUrl)
  await setTier(platform, user.id, 'basic')
  const created = await waitUntil('the account has the Basic plan', async () => {
    const { status, body } = await send(WEBHOOKS, { token, body: endpoint(NOWHERE) })
    return status === 201 ? body : undefined
  })
  const { id } = (created as { data: { endpoint: { id: string } } }).data.endpoint
  for (const url of INNER) {
    const refused = { status: 400, code: 'webhook.invalid' }
    expect((await send(WEBHOOKS, { token, body: endpoint(url) })).body, url).toMatchObject(refused)
    expect((await send(`${WEBHOOKS}/${id}`, { token, method: 'PUT', body: { url } })).body, url).toMatchObject(refused)
  }
  const { body } = await send(WEBHOOKS, { token })
  expect(body).toMatchObject({ data: { endpoints: [{ id, url: NOWHERE }] } })
})

test('a test event passes through the real queue, and its log entry contains only the reason for the failed name look-up', async () => {
  const { jwtToken: token, user } = await signUpUser(gatewayUrl)
  await setTier(platform, user.id, 'basic')
  const created = await waitUntil('the account has the Basic plan', async () => {
    const { status, body } = await send(WEBHOOKS, { token, body: endpoint(NOWHERE) })
    return status === 201 ? body : undefined
  })
  const { id } = (created as { data: { endpoint: { id: string } } }).data.endpoint
  expect((await send(`${WEBHOOKS}/${id}/test`, { token, method: 'POST' })).status).toBe(202)
  const attempt = await waitUntil(
    'the first attempt is logged',
    async () => {
      const { body } = await send(`${WEBHOOKS}/${id}/deliveries`, { token })
      return (body as { data: { deliveries: { last_attempt: object | null }[] } }).data.deliveries[0]?.last_attempt
    },
    WITHIN_MS,
  )
  expect(attempt).toMatchObject({ status: null, error: expect.stringMatching(/^(e[a-z_]+|timeout)$/) })
})
