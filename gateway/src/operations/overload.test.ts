import type { Tier } from '@tapeline/contracts/actor'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { Overload } from './overload.ts'
import { PRIORITIES } from '../routing/priority.ts'

const LIST = '/api/v1/trades/list'
/**
 * With 7 other open requests, exports (not counted themselves) are rejected; free from 8 on, basic from 9, pro from 10.
 */
const IN_FLIGHT_MAX = 10

let edge: Edge
let gateway: TestGateway
const pending: (() => void)[] = []

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge, { IN_FLIGHT_MAX: String(IN_FLIGHT_MAX) })
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

function accountOf(tier: Tier): TestAccount {
  const account = addAccount(edge)
  const subscription = edge.subscriptions.get(account.id)
  if (subscription !== undefined) edge.subscriptions.set(account.id, { ...subscription, tier })
  return account
}

const withKey = ({ apiKey }: TestAccount) => ({ 'x-api-key': apiKey })
const withToken = ({ accessToken }: TestAccount) => ({ authorization: `Bearer ${accessToken}` })
const call = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(gateway.url + path, { method, headers })
const isShed = async (answer: Promise<Response>) => {
  const response = await answer
  return response.status === 503 && (await response.text()).includes('"gateway.overloaded"')
}

/** Holds this many requests open, on a route with a long deadline, while `during` runs. */
async function withOpenRequests<T>(open: number, during: () => Promise<T>): Promise<T> {
  const pro = accountOf('pro')
  await call('/api/v1/limits', withToken(pro))
  edge.upstream = (_request, reply) => void pending.push(() => reply.end('{}'))
  const opened = Array.from({ length: open }, () =>
    call('/api/v1/internal/apikeyaudit/dashboard-metrics', withToken(pro)),
  )
  await waitUntil(`${open} are open`, () => pending.length === open, 60_000)
  edge.upstream = (_request, reply) => reply.end('{}')
  try {
    return await during()
  } finally {
    for (const answer of pending.splice(0)) answer()
    await Promise.all(opened)
  }
}

test('the least urgent requests are rejected first, and calls that revoke access never', async () => {
  const [pro, basic, free] = [accountOf('pro'), accountOf('basic'), accountOf('free')]
  // From here on, their plans are cached.
  for (const account of [pro, basic, free]) await call('/api/v1/limits', withKey(account))
  const calls: Record<string, () => Promise<Response>> = {
    exports: () => call('/api/v1/internal/apikeyaudit/export', withToken(pro)),
    free: () => call(LIST, withKey(free)),
    anyone: () => call('/api/v1/sample'),
    basic: () => call(LIST, withKey(basic)),
    pro: () => call(LIST, withKey(pro)),
    signIn: () => call('/api/v1/internal/user/login', {}, 'POST'),
    revocation: () => call('/api/v1/internal/api-keys/1/revoke', withToken(pro), 'PATCH'),
    health: () => call('/api/v1/health'),
    probe: () => call('/livez'),
  }
  const shedWith = (open: number) =>
    withOpenRequests(open, async () => {
      const shed: string[] = []
      for (const [what, send] of Object.entries(calls)) if (await isShed(send())) shed.push(what)
      return shed
    })
  expect(await shedWith(4)).toEqual([])
  expect(await shedWith(6)).toEqual([])
  expect(await shedWith(7)).toEqual(['exports'])
  expect(await shedWith(8)).toEqual(['exports', 'free', 'anyone'])
  expect(await shedWith(9)).toEqual(['exports', 'free', 'anyone', 'basic'])
  expect(await shedWith(10)).toEqual(['exports', 'free', 'anyone', 'basic', 'pro'])
})

test('a rejected request has Retry-After, consumes nothing and is counted for no account', async () => {
  const free = accountOf('free')
  await call('/api/v1/limits', withKey(free))
  const refused = await withOpenRequests(9, () => call(LIST, withKey(free)))
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
    503,
    '3',
    { code: 'gateway.overloaded', success: false },
  ])
  const limits: unknown = await (await call('/api/v1/limits', withKey(free))).json()
  const day = expect.objectContaining({ policy: 'day', used: 0 })
  expect(limits).toMatchObject({ data: { windows: expect.arrayContaining([day]) } })
  expect(gateway.usage().filter(({ account_id }) => account_id === free.id)).toEqual([])
})

test('with a delayed event loop, requests are rejected in the same order', () => {
  const overload = new Overload({ inFlightMax: 1_000, loopDelayMaxMs: 100 })
  overload.stop()
  const shedAt = (loopDelayMs: number) => {
    overload.loopDelayMs = loopDelayMs
    return PRIORITIES.filter((priority) => overload.problemFor(priority) !== undefined)
  }
  expect([50, 70, 85, 95, 1_000].map(shedAt)).toEqual([
    [],
    ['export'],
    ['free', 'export'],
    ['basic', 'free', 'export'],
    ['pro', 'basic', 'free', 'export'],
  ])
  expect(overload.shed).toEqual({ vital: 0, pro: 1, basic: 2, free: 3, export: 4 })
})
