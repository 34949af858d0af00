import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Balancer, startBalancer } from '@tapeline/testing/balancer'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { hostsOf, withHosts } from '../../../deploy/local/servers/database-address.ts'
import { PLATFORM } from '../drill.ts'
import { SERVICES, type Service } from '../wires.ts'
import { findFailoverPrograms } from './failover-programs.ts'
import { type KafkaBrokers, startKafkaBrokers } from './kafka-brokers.ts'
import type { Part, PartFinder } from './part.ts'
import { type PostgresCluster, type PostgresClusterOptions, startPostgresCluster } from './postgres-cluster.ts'
import { type RedisServers, startSentinelServers } from './redis-servers.ts'

export type HaPlatform = {
  /** Files of the servers. */
  dir: string
  /** Clients reach the gateways through a load balancer. */
  platform: TestPlatform
  kafka: KafkaBrokers
  postgres: PostgresCluster
  redis: RedisServers
  /** All parts to kill, one after the other. */
  parts: PartFinder[]
  /** With the addresses of the current primary, for clients that support a single server only. */
  withPrimary: () => Promise<TestPlatform>
  untilWhole: () => Promise<void>
  stop: () => Promise<void>
}

const GATEWAYS = 3
const COPIES = 2
const PROCESSES = [
  'gateway',
  'gateway-2',
  'gateway-3',
  'mail',
  ...SERVICES,
  ...SERVICES.map((service) => `${service}-2`),
]

type Servers = { kafka: KafkaBrokers; postgres: PostgresCluster; redis: RedisServers }
type Stops = (() => Promise<unknown>)[]

/** `startRedis` starts Redis with its files in a folder; under Sentinel by default. */
export type HaPlatformOptions = {
  postgres?: PostgresClusterOptions
  startRedis?: (dir: string) => Promise<RedisServers>
}

/** Three brokers, PostgreSQL under Patroni, Redis under Sentinel or as a cluster, three gateways, two processes of each service. */
export async function startHaPlatform(
  log: (line: string) => void,
  options: HaPlatformOptions = {},
): Promise<HaPlatform> {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-ha-'))
  const remove = () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  const stops: Stops = [async () => void process.off('exit', remove), async () => remove()]
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).toReversed()) await each()
  }
  try {
    const servers = await startServersOf({ dir, stops, log, options })
    log('gateways and services start')
    const platform = await startProcessesOn(servers, stops)
    return describe(platform, { ...servers, dir, stop })
  } catch (error) {
    await stop()
    throw error
  }
}

type Starting = { dir: string; stops: Stops; log: (line: string) => void; options: HaPlatformOptions }

async function startServersOf({ dir, stops, log, options }: Starting): Promise<Servers> {
  const programs = await findFailoverPrograms()
  log('three brokers start')
  const kafka = await startKafkaBrokers(join(dir, 'kafka'))
  stops.push(kafka.stop)
  log('PostgreSQL, Patroni and etcd start')
  const postgres = await startPostgresCluster(join(dir, 'postgres'), programs, options.postgres)
  stops.push(postgres.stop)
  log('Redis starts')
  const { startRedis = startSentinelServers } = options
  const redis = await startRedis(join(dir, 'redis'))
  stops.push(redis.stop)
  return { kafka, postgres, redis }
}

async function startProcessesOn({ kafka, postgres, redis }: Servers, stops: Stops) {
  const entries = await Promise.all(SERVICES.map(async (service) => [service, await startBalancer([])] as const))
  stops.push(async () => Promise.all(entries.map(([, balancer]) => balancer.stop())))
  const started = await startTestPlatform({
    gateways: GATEWAYS,
    processesPerService: COPIES,
    isRestarting: false,
    only: PROCESSES,
    env: { ...PLATFORM.env, ...(redis.jobsUrl === undefined ? {} : { '*': { REDIS_JOBS_URL: redis.jobsUrl } }) },
    servers: { DATABASE_URL: postgres.url, REDIS_URL: redis.url, KAFKA_BROKERS: kafka.brokers },
    overrideEnvironment: (name, env) => throughBalancers(new Map(entries), name, env),
  })
  stops.push(started.stop)
  const front = await startBalancer(started.gatewayUrls)
  stops.push(front.stop)
  await Promise.all(started.gatewayUrls.map((url) => front.untilHealthy(url)))
  return { ...started, gatewayUrl: front.url, gatewayUrls: [front.url] }
}

/** Like a Kubernetes Service: each process calls the others at one address, which forwards to ready processes. */
function throughBalancers(balancers: Map<Service, Balancer>, name: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const service = SERVICES.find((one) => name === one || name === `${one}-2`)
  if (service !== undefined) balancers.get(service)?.add(`http://127.0.0.1:${env.PORT ?? ''}`)
  const addresses = [...balancers].map(
    ([one, { url }]) => [`${one.toUpperCase().replaceAll('-', '_')}_URL`, url] as const,
  )
  return { ...env, ...Object.fromEntries(addresses) }
}

type Around = Servers & { dir: string; stop: () => Promise<void> }

function describe(platform: TestPlatform, { dir, kafka, postgres, redis, stop }: Around): HaPlatform {
  const processPart = (name: string): Part => ({
    name,
    kind: name.startsWith('gateway') ? 'gateway' : 'service',
    kill: () => platform.kill(name),
    restart: () => platform.restart(name),
  })
  const fixed = [
    ...kafka.parts,
    ...postgres.etcd.slice(0, 1),
    ...PROCESSES.filter((name) => name !== 'mail').map(processPart),
  ]
  return {
    dir,
    platform,
    kafka,
    postgres,
    redis,
    parts: [...redis.parts, postgres.primary, postgres.standby, ...fixed.map((part) => async () => part)],
    withPrimary: async () => ({
      ...platform,
      databaseUrls: atHost(platform.databaseUrls, await postgres.primaryUrl()),
    }),
    untilWhole: async () => void (await Promise.all([postgres.untilWhole(), redis.untilWhole()])),
    stop,
  }
}

function atHost<Name extends string>(urls: Record<Name, string>, primaryUrl: string): Record<Name, string> {
  const [host = ''] = hostsOf(primaryUrl)
  const entries = Object.entries<string>(urls).map(([name, url]) => [name, withHosts(url, host)])
  return Object.fromEntries(entries) as Record<Name, string>
}
