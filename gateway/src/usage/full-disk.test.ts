import { once } from 'node:events'
import { createTopics } from '@tapeline/events/topics/create-topics'
import { createKafka } from '@tapeline/events/kafka'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type GatewayProcess, startGatewayProcess } from '../../test/gateway-process.fixture.ts'
import { type Edge, startEdge } from '../../test/gateway.fixture.ts'
import { mountSmallDisk } from '../../test/small-disk.fixture.ts'

const DISK_BYTES = 524_288
const WITHIN_MS = 180_000
const NO_KAFKA = { KAFKA_BROKERS: '127.0.0.1:1' }
const prefix = `full-disk-${crypto.randomUUID().slice(0, 8)}.`
const disk = mountSmallDisk(DISK_BYTES)
let edge: Edge

beforeAll(async () => {
  edge = await startEdge()
  const kafka = createKafka({ brokers: testServers().kafkaBrokers, clientId: 'full-disk', log: silentLogger })
  const admin = kafka.admin()
  await admin.connect()
  const topics = ['usage', 'identity', 'api-key', 'config'].map((name) => ({ topic: prefix + name, numPartitions: 1 }))
  await createTopics(admin, topics)
  await admin.disconnect()
}, WITHIN_MS)
afterAll(async () => {
  await edge.stop()
  disk?.unmount()
})

async function send({ url }: GatewayProcess, path: string, { apiKey }: TestAccount) {
  const response = await fetch(url + path, { headers: { 'x-api-key': apiKey } })
  const body: unknown = await response.json()
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  return { status: response.status, code, requestId: response.headers.get('x-request-id') ?? '' }
}
const sendCounted = (gateway: GatewayProcess, account: TestAccount) => send(gateway, '/api/v1/trades/list', account)
const journalFull = { status: 503, code: 'journal.full' }

async function kill({ child }: GatewayProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Ids of the requests whose events are in Kafka. */
async function readShipped(): Promise<{ ids: string[]; stop: () => Promise<void> }> {
  const kafka = createKafka({ brokers: testServers().kafkaBrokers, clientId: 'full-disk', log: silentLogger })
  const consumer = kafka.consumer({ groupId: `${prefix}test` })
  const ids: string[] = []
  await consumer.connect()
  await consumer.subscribe({ topics: [`${prefix}usage`], fromBeginning: true })
  await consumer.run({
    eachMessage: async ({ message }) => {
      ids.push(/"request_id":"([0-9a-f]{32})"/.exec(String(message.value))?.[1] ?? String(message.value))
    },
  })
  return { ids, stop: () => consumer.disconnect() }
}

test(
  'a gateway killed on a full disk starts again there, serves what is not counted, ships its journal and recovers',
  { timeout: 900_000 },
  async ({ skip }) => {
    if (disk === undefined) return skip('this user may not mount a file system')
    const account = addAccount(edge)
    const env = { JOURNAL_DIR: disk.dir, KAFKA_TOPIC_PREFIX: prefix, JOURNAL_SEGMENT_BYTES: '65536' }
    const served: string[] = []
    const first = await startGatewayProcess(edge, { ...env, ...NO_KAFKA })
    await waitUntil(
      'the disk is full',
      async () => {
        const answer = await sendCounted(first, account)
        if (answer.status === 200) served.push(answer.requestId)
        return answer.code === 'journal.full'
      },
      WITHIN_MS,
    )
    await kill(first)
    disk.fill()

    for (let start = 0; start < 2; start += 1) {
      const full = await startGatewayProcess(edge, { ...env, ...NO_KAFKA })
      expect(await sendCounted(full, account)).toMatchObject(journalFull)
      expect(await send(full, '/api/v1/limits', account)).toMatchObject({ status: 200 })
      await kill(full)
    }

    const shipped = await readShipped()
    const healed = await startGatewayProcess(edge, env)
    const isServed = async () => {
      const answer = await sendCounted(healed, account)
      if (answer.status === 200) served.push(answer.requestId)
      return answer.status === 200
    }
    await waitUntil('counted requests are served again', isServed, WITHIN_MS)
    await waitUntil('every event has arrived', () => served.every((id) => shipped.ids.includes(id)), WITHIN_MS)
    expect(new Set(shipped.ids)).toEqual(new Set(served))
    await shipped.stop()
    expect(await healed.stop()).toBe(0)
  },
)
