import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, addKey } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { WRONG_KEY_ANSWER_EVERY_MS } from './authenticate.ts'

const ENV = { TRUST_PROXY: '127.0.0.1', THROTTLE_FAILURES_PER_MINUTE: '60' }
/** A rate that one gateway process and its client sustain; the asserted bound does not depend on it. */
const GUESSES_PER_SECOND = 75
const LOOKUPS_PER_SECOND = 10
const FIND = '/internal/keys/find'
const OPEN_GUESSES_MAX = 600
/** The two clients share no connections: a request waits for the gateway, not for a socket of the other client. */
const guesser = new Agent({ keepAlive: true, maxSockets: OPEN_GUESSES_MAX })
const otherClient = new Agent({ keepAlive: true })
let edge: Edge
let gateway: TestGateway

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge, ENV)
})
afterAll(async () => {
  guesser.destroy()
  otherClient.destroy()
  await gateway.stop()
  await edge.stop()
})

async function send({ url }: TestGateway, address: string, apiKey: string, agent = otherClient): Promise<number> {
  const headers = { 'x-api-key': apiKey, 'x-forwarded-for': address }
  const sent = request(`${url}/api/v1/instruments`, { agent, headers }).end()
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

const lookups = () => edge.requests.filter((url) => url === FIND).length

function wrongKey(): string {
  const { kid, apiKey } = addKey(edge, { id: crypto.randomUUID() })
  edge.keys.delete(kid)
  return apiKey
}

/** Sends `perSecond` wrong keys a second until `stop`, which waits for the open ones. */
function flood(at: TestGateway, address: string, perSecond: number): { statuses: number[]; stop: () => Promise<void> } {
  const EVERY_MS = 20
  const open = new Set<Promise<void>>()
  const statuses: number[] = []
  const one = async () => void statuses.push(await send(at, address, wrongKey(), guesser))
  const timer = setInterval(() => {
    for (let n = 0; n < (perSecond * EVERY_MS) / 1_000 && open.size < OPEN_GUESSES_MAX; n += 1) {
      const guess = one()
      open.add(guess)
      void guess.finally(() => open.delete(guess))
    }
  }, EVERY_MS)
  return {
    statuses,
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
    },
  }
}

/**
 * Look-ups of the address until a new key is admitted: a count does not depend on the machine's load, as a time would.
 */
async function lookupsUntilAdmitted(at: TestGateway, address: string): Promise<number> {
  const { apiKey } = addAccount(edge)
  const before = lookups()
  expect(await send(at, address, apiKey)).toBe(200)
  return lookups() - before
}

test(
  'while 75 wrong keys a second come from its address, a valid key is admitted within ten look-ups, also right after a start',
  { timeout: 120_000 },
  async () => {
    const address = '10.77.75.1'
    const guessing = flood(gateway, address, GUESSES_PER_SECOND)
    try {
      await waitUntil('wrong keys of the address get a 429', () => guessing.statuses.includes(429), 60_000)
      const [before, fromMs] = [lookups(), performance.now()]
      expect(await lookupsUntilAdmitted(gateway, address)).toBeLessThanOrEqual(LOOKUPS_PER_SECOND)
      await delay(1_000)
      const seconds = (performance.now() - fromMs) / 1_000
      expect(lookups() - before).toBeLessThanOrEqual(Math.ceil(seconds * LOOKUPS_PER_SECOND) + 1)
    } finally {
      await guessing.stop()
    }

    const started = await startTestGateway(edge, ENV)
    const again = flood(started, address, GUESSES_PER_SECOND)
    try {
      await delay(100)
      expect(await lookupsUntilAdmitted(started, address)).toBeLessThanOrEqual(LOOKUPS_PER_SECOND)
    } finally {
      await again.stop()
      await started.stop()
    }
  },
)

test.each([
  [0, WRONG_KEY_ANSWER_EVERY_MS],
  [35, 2 * WRONG_KEY_ANSWER_EVERY_MS],
])('wrong keys are answered at fixed times, which do not reveal a look-up of %d ms', async (lookupMs, answeredAtMs) => {
  /** A timer may fire a fraction of a millisecond early. */
  const TIMER_MS = 1
  edge.meanwhile = (kind) => (kind === 'keys' && lookupMs > 0 ? delay(lookupMs) : undefined)
  const startedMs = performance.now()
  expect(await send(gateway, `10.79.${lookupMs}.1`, wrongKey())).toBe(401)
  expect(performance.now() - startedMs).toBeGreaterThan(answeredAtMs - TIMER_MS)
  edge.meanwhile = undefined
})

test('an unknown kid and a wrong secret cost one look-up each, whether or not the gateway has the key', async () => {
  const account = addAccount(edge)
  const address = '10.78.0.1'
  expect(await send(gateway, address, account.apiKey)).toBe(200)
  const unseen = addAccount(edge)
  const wrong = (kid: string) => {
    const record = edge.keys.get(kid)
    const { apiKey } = addKey(edge, account, { kid })
    if (record !== undefined) edge.keys.set(kid, record)
    return apiKey
  }
  for (let n = 0; n < 3; n += 1) {
    for (const apiKey of [wrongKey(), wrong(account.kid), wrong(unseen.kid)]) {
      const [requestsBefore, kids] = [edge.requests.length, edge.kidsRequested]
      expect(await send(gateway, address, apiKey)).toBe(401)
      // The tier documents are polled every 10 s, independently of look-ups.
      const lookedUp = edge.requests.slice(requestsBefore).filter((url) => !url.startsWith('/internal/tiers'))
      expect([lookedUp, edge.kidsRequested - kids]).toEqual([[FIND], 1])
    }
  }
})
