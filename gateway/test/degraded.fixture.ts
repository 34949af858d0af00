import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FaultProxy, startFaultProxy } from '@tapeline/testing/fault-proxy'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect } from 'vitest'
import { type Servers, startServers } from '../../deploy/local/servers/servers.ts'
import { addAccount, type TestAccount } from './account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from './gateway.fixture.ts'

export const RECOVERY_MS = 60_000
const NAMES = ['redis', 'kafka', 'identity', 'api-key', 'config', 'audit', 'market-data'] as const
export type Name = (typeof NAMES)[number]

/** A gateway whose dependencies can each be stopped, with a separate Redis that can be emptied and restarted. */
export type DegradedWorld = {
  dir: string
  servers: Servers
  edge: Edge
  wires: Record<Name, FaultProxy>
  gateway: TestGateway
  /** With tiny bounds, and Kafka behind its wire. */
  small: TestGateway
  recover: () => void
  stop: () => Promise<void>
}

export const SMALL = {
  JOURNAL_BYTES_MAX: '65536',
  JOURNAL_SEGMENT_BYTES: '4096',
  IN_FLIGHT_MAX: '8',
}

export async function startDegradedWorld(): Promise<DegradedWorld> {
  const edge = await startEdge()
  const dir = mkdtempSync(join(tmpdir(), 'degraded-'))
  const servers = await startServers({ dir, env: { DATABASE_URL: 'none', KAFKA_BROKERS: 'none' } })
  const wires = await openWires(edge.url, servers.redisUrl)
  const through = (name: Name) => `127.0.0.1:${wires[name].port}`
  const gateway = await startTestGateway(edge, {
    REDIS_URL: `redis://${through('redis')}`,
    IDENTITY_URL: `http://${through('identity')}`,
    API_KEY_URL: `http://${through('api-key')}`,
    CONFIG_URL: `http://${through('config')}`,
    AUDIT_URL: `http://${through('audit')}`,
    MARKET_DATA_URL: `http://${through('market-data')}`,
  })
  wires.kafka.setFault('refuse')
  const { topicPrefix: KAFKA_TOPIC_PREFIX } = gateway
  const env = { REDIS_URL: servers.redisUrl, KAFKA_BROKERS: through('kafka'), KAFKA_TOPIC_PREFIX, ...SMALL }
  const small = await startTestGateway(edge, env)
  return {
    dir,
    servers,
    edge,
    wires,
    gateway,
    small,
    recover() {
      for (const name of NAMES) if (name !== 'kafka') wires[name].setFault('pass')
    },
    async stop() {
      await Promise.all([gateway.stop(), small.stop()])
      await Promise.all(NAMES.map((name) => wires[name].stop()))
      await Promise.all([servers.stop(), edge.stop()])
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function openWires(edgeUrl: string, redisUrl: string): Promise<Record<Name, FaultProxy>> {
  const urlOf = (name: Name): string => {
    if (name === 'redis') return redisUrl
    return name === 'kafka' ? `tcp://${testServers().kafkaBrokers.split(',', 1)[0]}` : edgeUrl
  }
  const opened = await Promise.all(NAMES.map(async (name) => [name, await startFaultProxy(urlOf(name))] as const))
  return Object.fromEntries(opened) as Record<Name, FaultProxy>
}

export type ObservedAnswer = { status: number; code: unknown; retryAfter: string | null; isDegraded: boolean }

export async function observe(url: string, init: RequestInit): Promise<ObservedAnswer> {
  const response = await fetch(url, init)
  const body: unknown = await response.json()
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  const { headers, status } = response
  const isDegraded = headers.get('x-ratelimit-policy') === 'degraded'
  return { status, code, retryAfter: headers.get('retry-after'), isDegraded }
}

export async function until(read: () => Promise<ObservedAnswer>, expected: Partial<ObservedAnswer>): Promise<void> {
  const isAnswered = async () => {
    expect(await read()).toMatchObject(expected)
    return true
  }
  await waitUntil(`it answers ${JSON.stringify(expected)}`, isAnswered, RECOVERY_MS)
}

/** Number of requests of the account that audit has recorded, half an hour old. */
export function countedByAudit({ seeds }: Edge, { id }: TestAccount, requests: number): void {
  const minute = Math.floor(Date.now() / 60_000) - 30
  seeds.set(id, { as_of: new Date().toISOString(), minutes: [[minute, requests]], month: requests })
}

export function addFreeAccount(edge: Edge): TestAccount {
  const account = addAccount(edge)
  const subscription = edge.subscriptions.get(account.id)
  if (subscription !== undefined) edge.subscriptions.set(account.id, { ...subscription, tier: 'free' })
  return account
}

/** What the account has left of its limit of the day. */
export async function leftToday({ gateway }: DegradedWorld, account: TestAccount): Promise<number | undefined> {
  const response = await fetch(`${gateway.url}/api/v1/limits`, { headers: { 'x-api-key': account.apiKey } })
  return Number(/"day";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
}
