import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { rawRequest, sendRaw } from './raw-request.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
let bearer = ''
let keyBearer = ''

beforeAll(async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, {})
  bearer = `authorization: Bearer ${jwtToken}`
  keyBearer = `authorization: Bearer ${(await createKeyFor(gatewayUrl, jwtToken)).apiKey}`
})

const statusOf = async (target: string, contentType: string | undefined, body: object): Promise<number> => {
  const type = contentType === undefined ? [] : [`content-type: ${contentType}`]
  const headers = [target.endsWith('list') ? keyBearer : bearer, ...type]
  const { statuses } = await sendRaw(
    gatewayUrl,
    rawRequest({ method: 'POST', target, headers, body: JSON.stringify(body) }),
  )
  return statuses[0] ?? 0
}

test.each(['application/json', 'application/json; charset=utf-8'])('JSON is accepted as %s', async (type) => {
  expect(await statusOf('/api/v1/trades/list', type, { venues: ['sim'], limit: 1 })).toBe(200)
  expect(await statusOf('/api/v1/trades/list', type, { venues: ['sim'], limit: 0 })).toBe(400)
})

test.each([
  undefined,
  '',
  'text/plain',
  'text/plain; charset=utf-8',
  'text/plain;application/json',
  'text/plain, application/json',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/json-patch+json',
  'application/vnd.api+json',
  'application/json\t;charset=utf-8',
  'application/json\t',
  ' \tapplication/json',
  'Application/JSON',
  'APPLICATION/JSON;charset=x',
  'application/json;',
  'application/json; charset=utf-16',
  'application\\json',
  '*/*',
  'null',
])('a body is validated as JSON or rejected: %s', async (type) => {
  expect([400, 415]).toContain(await statusOf('/api/v1/trades/list', type, { venues: ['sim'], limit: 'x' }))
  expect([400, 415]).toContain(await statusOf('/api/v1/internal/user/login', type, { email: 1 }))
  expect([400, 415]).toContain(await statusOf('/api/v1/internal/api-keys', type, { name: 'x', role: 'admin' }))
})

test('two Content-Type headers are rejected', async () => {
  const headers = [keyBearer, 'content-type: application/json', 'content-type: text/plain']
  const body = JSON.stringify({ venues: ['sim'], limit: 'x' })
  const bytes = rawRequest({ method: 'POST', target: '/api/v1/trades/list', headers, body })
  expect([400, 415]).toContain((await sendRaw(gatewayUrl, bytes)).statuses[0])
})
