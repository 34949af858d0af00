import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { type RedisBetween, startRedisBetween } from '../../test/redis-between.fixture.ts'

const LIMIT = 10
const SLOW_FOR_MS = 6_000
const STALL = { everyMs: 1_500, forMs: 300 }

let edge: Edge
let wire: RedisBetween
let gateway: TestGateway
let stalls: NodeJS.Timeout | undefined

beforeAll(async () => {
  edge = await startEdge()
  wire = await startRedisBetween(testServers().redisUrl)
  gateway = await startTestGateway(edge, { REDIS_URL: wire.url })
})
afterEach(() => {
  clearInterval(stalls)
  wire.setMode('pass')
})
afterAll(async () => {
  await gateway.stop()
  await wire.stop()
  await edge.stop()
})

async function request({ apiKey }: TestAccount) {
  const { status, headers } = await fetch(`${gateway.url}/api/v1/trades/list`, { headers: { 'x-api-key': apiKey } })
  return { status, isDegraded: headers.has('x-ratelimit-policy') }
}

function stall(): void {
  stalls = setInterval(() => {
    wire.setMode('hang')
    setTimeout(() => wire.setMode('pass'), STALL.forMs)
  }, STALL.everyMs)
}

test.each([
  ['20 ms late', () => wire.setMode('slow', 20)],
  ['60 ms late', () => wire.setMode('slow', 60)],
  ['100 ms late', () => wire.setMode('slow', 100)],
  ['300 ms late', () => wire.setMode('slow', 300)],
  ['stalled for 0.3 s every 1.5 s', stall],
])(
  'with replies of Redis %s a full limit stays full, and no other exceeds its limit plus the share',
  async (_name, disturb) => {
    const [full, fresh] = [
      addAccount(edge, { requestsPerMinute: LIMIT }),
      addAccount(edge, { requestsPerMinute: LIMIT }),
    ]
    await waitUntil('the limit is full', async () => {
      const { status, isDegraded } = await request(full)
      return status === 429 && !isDegraded
    })
    let admitted = Number((await request(fresh)).status === 200)
    disturb()
    let admittedOfFull = 0
    const statuses = new Set<number>()
    for (const untilMs = Date.now() + SLOW_FOR_MS; Date.now() < untilMs;) {
      const [ofFull, ofFresh] = await Promise.all([request(full), request(fresh)])
      for (const { status } of [ofFull, ofFresh]) statuses.add(status)
      admittedOfFull += Number(ofFull.status === 200)
      admitted += Number(ofFresh.status === 200)
    }
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 429])
    expect(admittedOfFull).toBe(0)
    expect(admitted).toBeGreaterThanOrEqual(LIMIT / 2)
    expect(admitted).toBeLessThanOrEqual(2 * LIMIT)
  },
)
