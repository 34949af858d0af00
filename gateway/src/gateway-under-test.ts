import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { KeyRecord } from '@tapeline/contracts/api-key/http'
import type { UsageSeed } from '@tapeline/contracts/audit/http'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { EventEnvelope } from '@tapeline/contracts/event'
import type { AccountRecord } from '@tapeline/contracts/identity/http'
import { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { createKafka } from '@tapeline/events/kafka'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { Value } from 'typebox/value'
import { loadConfig } from './config.ts'
import { startGateway } from './start-gateway.ts'
import { tiersUnderTest } from './tiers-under-test.ts'

export type Upstream = (request: IncomingMessage, reply: ServerResponse) => void
/** What the owners of records would answer, and the service behind the gateway: the edge of the gateway's world. */
export type Edge = {
  url: string
  accounts: Map<string, AccountRecord>
  subscriptions: Map<string, SubscriptionRecord>
  keys: Map<string, KeyRecord>
  seeds: Map<string, UsageSeed>
  /** Paths of questions to owners that are answered 503. */
  silent: Set<string>
  asked: string[]
  upstream: Upstream
  stop: () => Promise<void>
}

export const GENEROUS: RateLimits = {
  requestsPerMinute: 100_000,
  requestsPerHour: 1_000_000,
  requestsPerDay: 10_000_000,
  requestsPerMonth: 100_000_000,
  burstLimit: 10_000,
  concurrentRequests: 100,
}

const TOKEN_LIFE_S = 900
const signing = generateKeyPairSync('rsa', { modulusLength: 2048 })
const answerOk: Upstream = (_request, reply) => reply.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}')

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
    silent: new Set(),
    asked: [],
    upstream: answerOk,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return edge
}

function answerAsOwner(edge: Edge, { url = '' }: IncomingMessage, reply: ServerResponse): boolean {
  const [, kind = '', id = ''] = /^\/internal\/([a-z]+)\/?([^?]*)/.exec(url) ?? []
  const jwk = { ...signing.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }
  const records: Record<string, () => unknown> = {
    accounts: () => edge.accounts.get(id),
    subscriptions: () => edge.subscriptions.get(id),
    keys: () => edge.keys.get(id),
    seeds: () => edge.seeds.get(id) ?? { as_of: new Date().toISOString(), minutes: [], month: 0 },
    tiers: () => ({ version: 1, tiers: tiersUnderTest }),
  }
  const find = url === '/.well-known/jwks.json' ? () => ({ keys: [jwk] }) : records[kind]
  if (find === undefined) return false
  edge.asked.push(url)
  const record = find()
  const status = edge.silent.has(kind) ? 503 : record === undefined ? 404 : 200
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(record ?? {}))
  return true
}

export type TestGateway = {
  url: string
  journalDir: string
  topicPrefix: string
  /** Usage events in the journal, in order. */
  usage: () => UsageRequestServed[]
  stop: () => Promise<void>
}

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
    ...env,
    JOURNAL_DIR: journalDir,
  })
  const stops: (() => unknown)[] = []
  let isStopping = false
  const running = { onStop: (_name: string, stop: () => unknown) => void stops.push(stop), isStopping: () => isStopping }
  const { port } = await startGateway({ config, logger: silentLogger, internalKeys: testInternalKeys, running })
  return {
    url: `http://127.0.0.1:${port}`,
    journalDir,
    topicPrefix,
    usage: () => readUsage(journalDir),
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
  await admin.createTopics({ topics, waitForLeaders: true })
  await admin.disconnect()
  return prefix
}

function readUsage(journalDir: string): UsageRequestServed[] {
  const slots = readdirSync(journalDir, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const files = slots.flatMap(({ name }) => readdirSync(join(journalDir, name)).map((file) => join(journalDir, name, file)))
  const lines = files.filter((file) => file.endsWith('.jsonl')).flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1))
  return lines.map((line) => {
    const event: unknown = JSON.parse(line.slice(line.indexOf(' ') + 1))
    if (!Value.Check(EventEnvelope, event)) throw new Error(`no envelope: ${line}`)
    return Value.Parse(UsageRequestServed, event.data)
  })
}

export type TestAccount = { id: string; kid: string; apiKey: string; accessToken: string }

/** An account nobody else has, known to all owners, with one key. */
export function addAccount(edge: Edge, rateLimits: Partial<RateLimits> = {}): TestAccount {
  const id = crypto.randomUUID()
  const kid = randomText(12)
  const secret = randomText(32)
  edge.accounts.set(id, { account_id: id, version: 1, role: 'user', status: 'active', not_before: 0, ended_session_ids: [] })
  edge.subscriptions.set(id, {
    account_id: id,
    version: 1,
    tier: 'pro',
    anchor: '2026-01-31T12:00:00Z',
    trial_ends_at: null,
    rate_limits: { ...GENEROUS, ...rateLimits },
    time_zone: 'UTC',
  })
  edge.keys.set(kid, {
    kid,
    key_id: crypto.randomUUID(),
    account_id: id,
    version: 1,
    secret_sha256: createHash('sha256').update(secret).digest('hex'),
    state: 'active',
    environment: 'live',
    scopes: ['trades:read', 'l2events:read'],
    expires_at_ms: null,
  })
  const body = `tl_live_${kid}_${secret}`
  return { id, kid, apiKey: `${body}_${base62(crc32(body))}`, accessToken: accessTokenFor(id) }
}

export type TokenClaims = { sid?: string; iat?: number; exp?: number; aud?: string; iss?: string; typ?: string; kid?: string }

export function accessTokenFor(accountId: string, claims: TokenClaims = {}): string {
  const nowS = Math.floor(Date.now() / 1_000)
  const { typ = 'at+jwt', kid = 'test', ...rest } = claims
  const payload = {
    iss: 'tapeline-identity',
    aud: 'tapeline',
    sub: accountId,
    sid: 'session-1',
    jti: crypto.randomUUID(),
    role: 'user',
    iat: nowS,
    exp: nowS + TOKEN_LIFE_S,
    ...rest,
  }
  const text = [{ alg: 'RS256', typ, kid }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), signing.privateKey).toString('base64url')}`
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function randomText(characters: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(characters)), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

function base62(value: number): string {
  let text = ''
  for (let rest = value; text.length < 6; rest = Math.floor(rest / 62)) text = ALPHABET.charAt(rest % 62) + text
  return text
}

function portOf(server: { address: () => unknown }): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null || !('port' in address)) throw new Error('the edge does not listen')
  return Number(address.port)
}
