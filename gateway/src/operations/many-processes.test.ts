import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { EventEnvelope } from '@tapeline/contracts/event'
import { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { openTestTopics, type TestTopics } from '@tapeline/testing/kafka/test-topics'
import { usageCellsOf } from '@tapeline/testing/usage/usage-cells'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { configOfOneProcess, loadConfig } from '../config.ts'
import { type GatewayProcess, startGatewayProcess } from '../../test/gateway-process.fixture.ts'
import { type Edge, startEdge } from '../../test/gateway.fixture.ts'

const LIST = '/api/v1/trades/list'
const SHIPPED_WITHIN_MS = 120_000
const TEST_TIMEOUT_MS = 300_000

let edge: Edge
let topics: TestTopics
let gateway: GatewayProcess
const received = new Map<string, UsageRequestServed>()
let stopConsumer = async (): Promise<void> => {}

beforeAll(async () => {
  edge = await startEdge()
  topics = await openTestTopics(['usage', 'identity', 'api-key', 'config'])
  const consumer = topics.kafka.consumer({ groupId: `${topics.prefix}test` })
  await consumer.connect()
  await consumer.subscribe({ topics: [`${topics.prefix}usage`], fromBeginning: true })
  await consumer.run({
    eachMessage: async ({ message }) => {
      const event: unknown = JSON.parse(String(message.value))
      if (Value.Check(EventEnvelope, event)) received.set(event.id, Value.Parse(UsageRequestServed, event.data))
    },
  })
  stopConsumer = () => consumer.disconnect()
  const env = { GATEWAY_PROCESSES: '2', KAFKA_TOPIC_PREFIX: topics.prefix, JOURNAL_BYTES_MAX: '134217728' }
  gateway = await startGatewayProcess(edge, env)
}, TEST_TIMEOUT_MS)
afterAll(async () => {
  await gateway.stop()
  await stopConsumer()
  await topics.drop()
  await edge.stop()
})

type Answered = { status: number; requestId: string }

/** On a separate connection, so that every process receives some; undefined if the connection broke. */
function send(url: string, { apiKey }: TestAccount): Promise<Answered | undefined> {
  return new Promise((resolve) => {
    const request = get(url + LIST, { agent: false, headers: { 'x-api-key': apiKey } }, (response) => {
      const { statusCode = 0, headers } = response
      response.once('error', () => resolve(undefined))
      response.once('end', () => resolve({ status: statusCode, requestId: String(headers['x-request-id']) }))
      response.resume()
    })
    request.once('error', () => resolve(undefined))
  })
}

test(
  'a killed process loses nothing that was answered, the limit stays exact, and another takes its place',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const limit = 200
    const account = addAccount(edge, { requestsPerDay: limit })
    const answered: Answered[] = []
    let isDone = false
    const clients = Array.from({ length: 8 }, async () => {
      while (!isDone) {
        const one = await send(gateway.url, account)
        if (one === undefined) await delay(20)
        else answered.push(one)
      }
    })
    await waitUntil('requests are counted', () => answered.length > limit / 4, SHIPPED_WITHIN_MS)
    const before = await gateway.processes()
    const victim = before[0]?.pid ?? 0
    process.kill(victim, 'SIGKILL')
    const denied = () => answered.filter(({ status }) => status === 429).length
    await waitUntil('the limit is reached', () => denied() > 20, SHIPPED_WITHIN_MS)
    isDone = true
    await Promise.all(clients)

    await waitUntil(
      'both processes are ready',
      async () => {
        const now = await gateway.processes()
        return now.every(({ pid, ready }) => ready && pid !== victim)
      },
      SHIPPED_WITHIN_MS,
    )
    expect((await gateway.processes())[1]?.pid).toBe(before[1]?.pid)

    const events = () => [...received.values()].filter(({ account_id }) => account_id === account.id)
    await waitUntil(
      'every answer has its event',
      () => {
        const ids = new Set(events().map(({ request_id }) => request_id))
        return answered.every(({ requestId }) => ids.has(requestId))
      },
      SHIPPED_WITHIN_MS,
    )
    const ids = events().map(({ request_id }) => request_id)
    expect(new Set(ids).size, 'one event for each request').toBe(ids.length)
    const admitted = events().filter(({ decision }) => decision.verdict === 'admitted').length
    expect(admitted).toBeLessThanOrEqual(limit)
    expect(admitted).toBeGreaterThanOrEqual(limit - clients.length)
    const gateways = new Set(events().map(({ gateway_id }) => gateway_id))
    expect(gateways.size, 'both processes served').toBe(2)
    const lost = (await usageCellsOf(testServers().redisUrl, account.id)) - ids.length
    expect(lost).toBeGreaterThanOrEqual(0)
    expect(lost).toBeLessThanOrEqual(clients.length)
  },
)

test('the metrics of all processes are summed on the admin port', async () => {
  const account = addAccount(edge)
  const countOf = async () =>
    Number(
      /gateway_requests_total\{route="\/api\/v1\/trades\/list",status_class="2xx"\} (\d+)/.exec(
        await gateway.metrics(),
      )?.[1] ?? 0,
    )
  const before = await countOf()
  const answers = await Promise.all(Array.from({ length: 24 }, () => send(gateway.url, account)))
  const served = answers.filter((one) => one?.status === 200).length
  expect(served).toBeGreaterThan(0)
  // A process counts an answer after it has sent it.
  await waitUntil('all answers are counted', async () => (await countOf()) - before >= served)
  expect((await countOf()) - before).toBe(served)
  expect(await gateway.metrics()).toMatch(/gateway_process_up\{process="0"\} 1\ngateway_process_up\{process="1"\} 1/)
  expect(await gateway.metrics()).toContain('gateway_journal_bytes_max{process="1"} 134217728')
})

test('without Redis all processes together admit no more than the limit', { timeout: TEST_TIMEOUT_MS }, async () => {
  const other = await startGatewayProcess(edge, {
    GATEWAY_PROCESSES: '2',
    KAFKA_TOPIC_PREFIX: topics.prefix,
    REDIS_URL: 'redis://127.0.0.1:1',
  })
  try {
    const account = addAccount(edge, { requestsPerDay: 10 })
    const statuses: (number | undefined)[] = []
    for (let n = 0; n < 8; n += 1) {
      const round = await Promise.all(Array.from({ length: 8 }, () => send(other.url, account)))
      statuses.push(...round.map((one) => one?.status))
    }
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(10)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  } finally {
    await other.stop()
  }
})

test('on SIGTERM every process first finishes its open requests', { timeout: TEST_TIMEOUT_MS }, async () => {
  const account = addAccount(edge)
  const pending: (() => void)[] = []
  edge.upstream = (_request, reply) => void pending.push(() => reply.end('{}'))
  const answers = Promise.all(Array.from({ length: 12 }, () => send(gateway.url, account)))
  await waitUntil('all are open', () => pending.length === 12, SHIPPED_WITHIN_MS)
  const stopped = gateway.stop()
  for (const answer of pending) setTimeout(answer, 200)
  expect((await answers).map((one) => one?.status)).toEqual(Array(12).fill(200))
  expect(await stopped).toBe(0)
})

test('every process counts as one of those that share the limits', () => {
  const env = { REDIS_URL: 'x', KAFKA_BROKERS: 'x', INTERNAL_KEYS: 'x', GATEWAYS_EXPECTED: '3' }
  expect(configOfOneProcess(loadConfig(env)).GATEWAYS_EXPECTED).toBe(3)
  expect(configOfOneProcess(loadConfig({ ...env, GATEWAY_PROCESSES: '2' })).GATEWAYS_EXPECTED).toBe(6)
})
