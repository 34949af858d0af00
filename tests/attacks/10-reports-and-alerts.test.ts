import { createKeyFor, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { comparableResponse } from './comparable-response.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const INTERNAL = `${gatewayUrl}/api/v1/internal`
const REPORT = { name: 'week', api_key_id: null, status: null, breakdown: 'day', weekday: 1, hour: 8, active: true }
const ALERT = { name: 'half', api_key_id: null, policy: 'month', percent: 50, channels: ['email'], active: true }
type Created = { data: { id: string } }

async function proAccount() {
  const account = await signUpUser(gatewayUrl)
  await setTier(platform, account.user.id, 'pro')
  return account
}

async function make(token: string, path: string, body: object): Promise<string> {
  const response = await waitUntil('the account has the Pro plan', async () => {
    const answer = await send<Created>(`${INTERNAL}/${path}`, { token, body })
    return answer.status === 201 ? answer : undefined
  })
  return response.body.data.id
}

test('reports and alerts of another account are answered like missing ones', async () => {
  const [owner, thief] = [await proAccount(), await proAccount()]
  const ids = {
    reports: await make(owner.jwtToken, 'reports', REPORT),
    alerts: await make(owner.jwtToken, 'alerts', ALERT),
  }
  await make(thief.jwtToken, 'reports', REPORT)
  for (const [method, path, body] of [
    ['PUT', 'reports/', REPORT],
    ['POST', 'reports/:/send', undefined],
    ['GET', 'reports/:/preview', undefined],
    ['DELETE', 'reports/', undefined],
    ['PUT', 'alerts/', ALERT],
    ['DELETE', 'alerts/', undefined],
  ] as const) {
    const url = (id: string) => `${INTERNAL}/${path.includes(':') ? path.replace(':', id) : path + id}`
    const id = path.startsWith('reports') ? ids.reports : ids.alerts
    const foreign = await send(url(id), { method, token: thief.jwtToken, body })
    const absent = await send(url(crypto.randomUUID()), { method, token: thief.jwtToken, body })
    expect(foreign.status, `${method} ${path}`).toBe(404)
    expect(comparableResponse(foreign)).toEqual(comparableResponse(absent))
  }
  const { body } = await send<{ data: { alerts: object[] } }>(`${INTERNAL}/alerts`, { token: owner.jwtToken })
  expect(body.data.alerts).toMatchObject([{ id: ids.alerts, name: 'half' }])
})

test('an alert or report about another account’s key is rejected like one about a missing key', async () => {
  const [owner, thief] = [await proAccount(), await proAccount()]
  const { key } = await createKeyFor(gatewayUrl, owner.jwtToken, 'mine')
  await make(thief.jwtToken, 'reports', REPORT)
  for (const [path, body] of [
    ['alerts', ALERT],
    ['reports', REPORT],
  ] as const) {
    const create = (api_key_id: string) =>
      send(`${INTERNAL}/${path}`, { token: thief.jwtToken, body: { ...body, api_key_id } })
    const [foreign, absent] = [await create(key.id), await create(crypto.randomUUID())]
    expect(foreign.body, path).toMatchObject({ status: 404, code: 'api_key.not_found' })
    expect(comparableResponse(foreign)).toEqual(comparableResponse(absent))
  }
})

test('a reported leaked key is rejected from the next request on, and guessed keys reveal and change nothing', async () => {
  const owner = await signUpUser(gatewayUrl)
  const { apiKey, key } = await createKeyFor(gatewayUrl, owner.jwtToken, 'leaked')
  const report = (reported: string) => send(`${gatewayUrl}/api/v1/leaked-keys`, { body: { keys: [reported] } })
  const guesses = [
    key.prefix,
    `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`,
    `acme_${crypto.randomUUID()}`,
  ]
  const answers = []
  for (const guess of guesses) answers.push(await report(guess))
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  const right = await report(apiKey)
  for (const wrong of answers) expect(comparableResponse(wrong)).toEqual(comparableResponse(right))
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(401)
})
