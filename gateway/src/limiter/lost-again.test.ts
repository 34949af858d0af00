import { raiseVersion, accountHashKey, keyVersionField } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'

// A record is loaded from its owner; before its version is written, the owner changes it and Redis loses the account
// (again).

const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 5_000 })
let edge: Edge
let gateway: TestGateway
let account: TestAccount

beforeAll(async () => {
  await redisReady(redis, 60_000)
  edge = await startEdge()
  gateway = await startTestGateway(edge)
  account = addAccount(edge)
  await waitUntil('the limiter is connected', async () => !(await limits()).headers.has('x-ratelimit-policy'))
})
afterEach(() => {
  edge.meanwhile = undefined
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
  redis.disconnect()
})

/** Runs once, while a call of this kind is in progress. */
function onceDuring(kind: string, act: () => Promise<unknown>): void {
  edge.meanwhile = (requested) => {
    if (requested !== kind) return undefined
    edge.meanwhile = undefined
    return act()
  }
}

const lose = () => redis.del(accountHashKey(account.id))
const limits = () => fetch(`${gateway.url}/api/v1/limits`, { headers: { authorization: `Bearer ${account.apiKey}` } })

/**
 * The answer for a new account, prepared by `arrange`, that Redis decided. On a busy machine the gateway may stop waiting
 * for an owner, and then the fallback limiter decides: such a trial is repeated with another account.
 */
async function decidedByRedis(arrange: () => Promise<void> | void): Promise<Response> {
  return waitUntil(
    'Redis decides',
    async () => {
      account = addAccount(edge)
      await arrange()
      const answer = await limits()
      return answer.headers.has('x-ratelimit-policy') || answer.status === 503 ? undefined : answer
    },
    60_000,
  )
}

test('counters are not seeded with a version from before another loss', async () => {
  const answer = await decidedByRedis(() =>
    onceDuring('seeds', async () => {
      const subscription = edge.subscriptions.get(account.id)
      if (subscription === undefined) throw new Error('no subscription')
      edge.subscriptions.set(account.id, { ...subscription, version: 2, tier: 'free' })
      await raiseVersion(redis, { accountId: account.id, field: 's', version: 2 })
      await lose()
    }),
  )
  expect(await answer.json()).toMatchObject({ data: { tier: 'free' } })
  expect(await redis.hmget(accountHashKey(account.id), 's', 't')).toEqual(['2', null])
})

test('a missing version of a key is not written with a record from before another loss', async () => {
  const field = () => keyVersionField(account.kid)
  const answer = await decidedByRedis(async () => {
    await redis.hset(accountHashKey(account.id), { g: '1', u: '1', s: '1' })
    let questions = 0
    edge.meanwhile = (kind) => {
      if (kind !== 'keys') return undefined
      questions += 1
      if (questions !== 2) return undefined
      return revokeThenLose()
    }
  })
  async function revokeThenLose(): Promise<void> {
    const key = edge.keys.get(account.kid)
    if (key === undefined) throw new Error('no key')
    edge.keys.set(account.kid, { ...key, version: 2, state: 'revoked' })
    await raiseVersion(redis, { accountId: account.id, field: field(), version: 2 })
    await lose()
    // Another gateway has seeded the account for another key.
    await redis.hset(accountHashKey(account.id), { g: '2', u: '1', s: '1' })
  }
  expect(answer.status).toBe(401)
  expect(await redis.hget(accountHashKey(account.id), field())).toBe('2')
})
