import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { rawRequest, sendRaw } from './raw-request.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
let token = ''
let apiKey = ''

beforeAll(async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, {})
  token = jwtToken
  apiKey = (await createKeyFor(gatewayUrl, token)).apiKey
})

const sendTo = (method: string, target: string, body = '') =>
  sendRaw(
    gatewayUrl,
    rawRequest({
      method,
      target,
      body,
      headers: [
        'content-type: application/json',
        `authorization: Bearer ${target.startsWith('/api/v1/trades') ? apiKey : token}`,
      ],
    }),
  )

const POISONED = [
  '"__proto__":{"role":"admin","isAllowed":true}',
  '"__proto__":null',
  '"\\u005f_proto__":{"role":"admin"}',
  '"constructor":{"prototype":{"role":"admin"}}',
  '"prototype":{"role":"admin"}',
]
const account = (more: string): string =>
  `{"first_name":"A","last_name":"B","email":"${crypto.randomUUID()}@example.com","password":"pw-${crypto.randomUUID()}","mobile":"+1",${more}}`
const BODIES: [string, string, (more: string) => string][] = [
  ['PUT', '/api/v1/internal/user/create', account],
  ['POST', '/api/v1/internal/user/login', (more) => `{"email":"a@example.com","password":"12345678",${more}}`],
  ['POST', '/api/v1/internal/api-keys', (more) => `{"name":"a",${more}}`],
  ['POST', '/api/v1/trades/list', (more) => `{"venues":["sim"],"limit":1,${more}}`],
  ['POST', '/api/v1/trades/list', (more) => `{"venues":["sim"],"limit":1,"price":{"gte":"1",${more}}}`],
]

test.each(BODIES)('a body with a prototype key is rejected: %s %s', async (method, target, bodyWith) => {
  for (const more of POISONED) {
    const { statuses, text } = await sendTo(method, target, bodyWith(more))
    expect({ more, statuses }).toEqual({ more, statuses: [400] })
    expect(text).toContain('"code":"request.invalid"')
  }
})

test('a query with a prototype key is rejected', async () => {
  const url = '/api/v1/internal/apikeyaudit/dashboard-metrics'
  expect((await sendTo('GET', `${url}?period=1h`)).statuses).toEqual([200])
  for (const query of ['__proto__=x', '__proto__[role]=admin', 'constructor[prototype][role]=admin', '%5f_proto__=x']) {
    expect((await sendTo('GET', `${url}?${query}`)).statuses).toEqual([400])
  }
})

test('afterwards no account has gained rights', async () => {
  const { text } = await sendTo('GET', '/api/v1/internal/user/details')
  expect(text).toContain('"role":"user"')
  expect(text).toContain('"is_superuser":false')
})
