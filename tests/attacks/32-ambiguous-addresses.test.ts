import { signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { rawRequest, sendRaw } from './raw-request.ts'

const { gatewayUrl } = runningPlatform()
let account: TestAccount

beforeAll(async () => {
  account = await signUpUser(gatewayUrl)
})

const sendTo = (target: string, method = 'GET', body = '') =>
  sendRaw(
    gatewayUrl,
    rawRequest({
      method,
      target,
      body,
      headers: [`authorization: Bearer ${account.jwtToken}`, 'content-type: application/json'],
    }),
  )

test('the plain address is answered', async () => {
  expect((await sendTo('/api/v1/internal/user/details')).statuses).toEqual([200])
})

test.each([
  '/api/%2e%2e/internal/accounts/1',
  '/api/v1/internal/user/../../../../internal/accounts/1',
  '/api/v1/internal/user/%2e%2e/%2e%2e/%2e%2e/%2e%2e/internal/accounts/1',
  '/api/v1/internal/user/.%2e/user/details',
  '/api/v1/internal/user/..%2fuser%2fdetails',
  '/api/v1/internal/user/%252e%252e/details',
  '/api/v1/internal/user/./details',
  '/api/v1/internal/user/..;/details',
  '/api/v1/internal/user/..\\details',
  '/api/v1/internal/user/%5c..%5cdetails',
  '/api/v1/internal/user//details',
  '//api/v1/internal/user/details',
  '//internal/accounts/1',
  '/internal/accounts/1',
  '/api/v1/internal/user/details/',
  '/api/v1/internal/user/details/..',
  '/api/v1/internal/user/details%00',
  '/api/v1/internal/user/details%20',
  '/api/v1/internal/user/d%65tails',
  '/api/v1/internal/user/details;a=b',
  '/api/v1/internal/user/details#fragment',
  '/api/v1/internal/user/d%C0%AEtails',
  '/API/V1/internal/user/details',
  '/api/v1/internal/user/details\u00e9',
  '/%61pi/v1/internal/user/details',
])('an ambiguous address matches no route: %s', async (target) => {
  const { statuses, text } = await sendTo(target)
  expect(statuses).toHaveLength(1)
  expect([400, 404], text).toContain(statuses[0])
})

test.each([
  'http://127.0.0.1/api/v1/internal/user/details',
  'http://identity:3011/internal/accounts/1',
  'https://example.com/',
  'example.com:443',
  '*',
  '?',
  'api/v1/internal/user/details',
])('the gateway does not act as a forward proxy: %s', async (target) => {
  const { statuses, text } = await sendTo(target)
  expect(statuses).toHaveLength(1)
  expect([400, 404], text).toContain(statuses[0])
})

test.each(['TRACE', 'TRACK', 'CONNECT', 'PROPFIND', 'get'])('the method %s is rejected', async (method) => {
  const { statuses, text } = await sendTo('/api/v1/internal/user/details', method).catch(() => ({
    statuses: [400],
    text: '',
  }))
  expect([400, 405], text).toContain(statuses[0])
  expect(text).not.toContain(account.email)
  expect(text).not.toContain(account.jwtToken)
})

test('no header overrides method or path', async () => {
  const headers = [
    `authorization: Bearer ${account.jwtToken}`,
    'x-http-method-override: PATCH',
    'x-original-url: /internal/accounts/1',
    'x-rewrite-url: /internal/accounts/1',
    'x-forwarded-prefix: /internal',
  ]
  const target = '/api/v1/internal/user/details'
  const { statuses, text } = await sendRaw(gatewayUrl, rawRequest({ method: 'GET', target, headers }))
  expect(statuses).toEqual([200])
  expect(text).toContain(account.email)
})
