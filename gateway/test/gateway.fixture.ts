import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { FindKeys, type KeyRecord } from '@tapeline/contracts/api-key/key-record'
import type { UsageSeed } from '@tapeline/contracts/audit/http'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import { EventEnvelope } from '@tapeline/contracts/event'
import type { AccountRecord } from '@tapeline/contracts/identity/http'
import {
  UsageRequestServed,
  usageRequestServed,
  UsageStreamDelivered,
  usageStreamDelivered,
} from '@tapeline/contracts/usage/events'
import { createTopics } from '@tapeline/events/topics/create-topics'
import { createKafka } from '@tapeline/events/kafka'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { Value } from 'typebox/value'
import { Config, loadConfig } from '../src/config.ts'
import { testPublicKey } from './account.fixture.ts'
import { startGateway } from '../src/start.ts'
import { isMissing } from '../src/usage/journal-files.ts'
import { testTiers } from './tiers.fixture.ts'

export type Upstream = (request: IncomingMessage, reply: ServerResponse) => void
/** What the owners of records would answer, and the service behind the gateway: the edge of the gateway's world. */
export type Edge = {
  url: string
  accounts: Map<string, AccountRecord>
  subscriptions: Map<string, SubscriptionRecord>
  keys: Map<string, KeyRecord>
  seeds: Map<string, UsageSeed>
  /** The tier documents of config, valid or not. */
  tiers: { version: number; tiers: unknown }
  /** Paths of record look-ups that get a 503. */
  silent: Set<string>
  requests: string[]
  /** Number of kids in all look-ups; one look-up may contain many. */
  kidsRequested: number
  /** Runs between a look-up and its answer, which contains the record as of before. */
  meanwhile: ((kind: string) => Promise<unknown> | undefined) | undefined
  upstream: Upstream
  stop: () => Promise<void>
}

const answerOk: Upstream = (_request, reply) =>
  reply.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}')

export async function startEdge(): Promise<Edge> {
  const server = createServer((request, reply) => {
    if (!answerAsOwner(edge, request, reply)) edge.upstream(request, reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const edge: Edge = {
    url: `http://127.0.0.1:${portOf(server)}`,
    accounts: new Map(),
    subscriptions: new Map(),
    keys: new Map(),
    seeds: new Map(),
    tiers: { version: 1, tiers: testTiers },
    silent: new Set(),
    requests: [],
    kidsRequested: 0,
    meanwhile: undefined,
    upstream: answerOk,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return edge
}

function answerAsOwner(edge: Edge, request: IncomingMessage, reply: ServerResponse): boolean {
  const { url = '' } = request
  const [, kind = '', id = ''] = /^\/internal\/([a-z]+)\/?([^?]*)/.exec(url) ?? []
  const records: Record<string, () => unknown> = {
    accounts: () => edge.accounts.get(id),
    subscriptions: () => edge.subscriptions.get(id),
    keys: () => edge.keys.get(id),
    seeds: () => edge.seeds.get(seedName(id, url)) ?? { as_of: new Date().toISOString(), minutes: [], month: 0 },
    tiers: () => edge.tiers,
  }
  const find = url === '/.well-known/jwks.json' ? () => ({ keys: [testPublicKey] }) : records[kind]
  if (find === undefined) return false
  edge.requests.push(url)
  if (url === '/internal/keys/find') {
    void answerKeys(edge, request, reply)
    return true
  }
  const { status, text } = answerOf(edge, kind, find())
  const answer = () => reply.writeHead(status, { 'content-type': 'application/json' }).end(text)
  void Promise.resolve(edge.meanwhile?.(kind)).then(answer)
  return true
}

async function answerKeys(edge: Edge, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const { kids } = Value.Parse(FindKeys, await json(request))
  edge.kidsRequested += kids.length
  const { status, text } = answerOf(edge, 'keys', { records: kids.flatMap((kid) => edge.keys.get(kid) ?? []) })
  await edge.meanwhile?.('keys')
  reply.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

function answerOf(edge: Edge, kind: string, record: unknown): { status: number; text: string } {
  const status = edge.silent.has(kind) ? 503 : record === undefined ? 404 : 200
  return { status, text: JSON.stringify(record ?? {}) }
}

/** An account, or an account and one of its keys. */
function seedName(accountId: string, url: string): string {
  const keyId = new URL(url, 'http://edge').searchParams.get('key_id')
  return keyId === null ? accountId : `${accountId} ${keyId}`
}

export type TestGateway = {
  url: string
  journalDir: string
  topicPrefix: string
  /** Usage events in the journal, in order. */
  usage: () => UsageRequestServed[]
  /** Usage events of streams in the journal, in order. */
  streamUsage: () => UsageStreamDelivered[]
  stop: () => Promise<void>
}

/** All tests come from one address. */
const UNTHROTTLED = Object.fromEntries(
  Object.keys(Config.properties)
    .filter((name) => name.startsWith('THROTTLE_'))
    .map((name) => [name, '1000000']),
)

/** Redis on a busy machine may reply late, and then the fallback limiter decides; only tests of that use a short time. */
const LONG_REPLY_TIMEOUT = { LIMITER_REPLY_WITHIN_MS: '1000' }

/** A whole gateway in this process, with the real Redis and Kafka, in front of the edge. */
export async function startTestGateway(edge: Edge, env: Record<string, string> = {}): Promise<TestGateway> {
  const servers = testServers()
  const topicPrefix = env.KAFKA_TOPIC_PREFIX ?? (await makeTopics(servers.kafkaBrokers))
  const journalDir = env.JOURNAL_DIR ?? mkdtempSync(join(tmpdir(), 'gateway-journal-'))
  const config = loadConfig({
    PORT: '0',
    INTERNAL_KEYS: 'given separately',
    REDIS_URL: servers.redisUrl,
    KAFKA_BROKERS: servers.kafkaBrokers,
    KAFKA_TOPIC_PREFIX: topicPrefix,
    IDENTITY_URL: edge.url,
    API_KEY_URL: edge.url,
    AUDIT_URL: edge.url,
    CONFIG_URL: edge.url,
    MARKET_DATA_URL: edge.url,
    DRAIN_TIMEOUT_MS: '500',
    LOOP_DELAY_MAX_MS: '60000',
    ...UNTHROTTLED,
    ...LONG_REPLY_TIMEOUT,
    ...env,
    JOURNAL_DIR: journalDir,
  })
  const stops: (() => unknown)[] = []
  let isStopping = false
  const running = {
    onStop: (_name: string, stop: () => unknown) => void stops.push(stop),
    isStopping: () => isStopping,
  }
  const { port } = await startGateway({ config, logger: silentLogger, internalKeys: testInternalKeys, running })
  return {
    url: `http://127.0.0.1:${port}`,
    journalDir,
    topicPrefix,
    usage: () => requestUsage(journalDir),
    streamUsage: () => streamUsage(journalDir),
    async stop() {
      isStopping = true
      for (const stop of stops.toReversed()) await stop()
      if (env.JOURNAL_DIR === undefined) rmSync(journalDir, { recursive: true, force: true })
    },
  }
}

/** Topics of this test's own. */
async function makeTopics(brokers: string): Promise<string> {
  const prefix = `gateway-test-${crypto.randomUUID().slice(0, 8)}.`
  const admin = createKafka({ brokers, clientId: 'gateway-test', log: silentLogger }).admin()
  await admin.connect()
  const topics = ['usage', 'identity', 'api-key', 'config'].map((name) => ({ topic: prefix + name, numPartitions: 1 }))
  await createTopics(admin, topics)
  await admin.disconnect()
  return prefix
}

function requestUsage(journalDir: string): UsageRequestServed[] {
  const events = readUsage(journalDir).filter(({ type }) => type === usageRequestServed.type)
  return events.map(({ data }) => Value.Parse(UsageRequestServed, data))
}

export function streamUsage(journalDir: string): UsageStreamDelivered[] {
  const events = readUsage(journalDir).filter(({ type }) => type === usageStreamDelivered.type)
  return events.map(({ data }) => Value.Parse(UsageStreamDelivered, data))
}

function readUsage(journalDir: string): EventEnvelope[] {
  const slots = readdirSync(journalDir, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const files = slots.flatMap(({ name }) =>
    readdirSync(join(journalDir, name)).map((file) => join(journalDir, name, file)),
  )
  const lines = files
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readSegment(file).split('\n').slice(0, -1))
  const events = lines.filter((line) => !line.startsWith('='))
  return events.map((line) => {
    const event: unknown = JSON.parse(line.slice(line.indexOf(' ') + 1, line.lastIndexOf(' ')))
    if (!Value.Check(EventEnvelope, event)) throw new Error(`no envelope: ${line}`)
    return event
  })
}

/** Empty if the shipper has removed the segment since it was listed. */
function readSegment(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}

function portOf(server: { address: () => unknown }): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null || !('port' in address))
    throw new Error('the edge does not listen')
  return Number(address.port)
}
