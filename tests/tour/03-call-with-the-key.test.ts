import { createKeyFor, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl } = runningPlatform()
let apiKey = ''

beforeAll(async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  apiKey = (await createKeyFor(gatewayUrl, jwtToken)).apiKey
})

test('a key reads trades, and every response has the remaining limits', async () => {
  const reply = await listTrades(gatewayUrl, apiKey)
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({
    data: [{ venue: 'sim', price: expect.stringMatching(/^\d+(\.\d+)?$/) }],
    has_more: true,
  })
  expect(reply.headers.get('ratelimit-policy')).toContain('"min";q=10;w=60')
  expect(reply.headers.get('ratelimit')).toMatch(/"min";r=\d+;t=\d+/)
  expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
  expect(reply.headers.get('x-error-code')).toBeNull()
})

test('x-api-key works as well; a key in the URL is rejected', async () => {
  const body = { venues: ['sim'], limit: 1 }
  const url = `${gatewayUrl}/api/v1/trades/list`
  expect((await send(url, { body, headers: { 'x-api-key': apiKey } })).status).toBe(200)
  const inAddress = await send(`${url}?api_key=${apiKey}`, { body })
  expect(inAddress.body).toMatchObject({ status: 400, code: 'credential.in_query' })
})

test('a key with a wrong secret and a key that never existed get the same response', async () => {
  const wrongSecret = `${apiKey.slice(0, 21)}${'0'.repeat(32)}${apiKey.slice(53)}`
  for (const key of [wrongSecret, 'tl_live_short', '']) {
    const reply = await listTrades(gatewayUrl, key)
    expect(reply.status).toBe(401)
  }
})

test('invalid input is reported by field and consumes only the request', async () => {
  const reply = await listTrades(gatewayUrl, apiKey, { venues: ['sim'], limit: 0 })
  expect(reply.body).toMatchObject({ status: 400, errors: [{ field: '/limit' }] })
  const filter = await listTrades(gatewayUrl, apiKey, { venues: ['sim'], colour: 'red' })
  expect(filter.body).toMatchObject({ status: 400, errors: [{ field: '/colour' }] })
})
