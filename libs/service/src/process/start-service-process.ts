import type { ServiceName } from '@tapeline/contracts/actor'
import { cancelWith } from '@tapeline/database/cancel'
import { connectDatabase, createPool, JOB_TIMEOUTS } from '@tapeline/database/connect'
import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import { listenForWork, type WorkSignals } from '@tapeline/database/work-signals'
import { startBroadcastConsumer } from '@tapeline/events/broadcast-consumer'
import { countDeadLetters } from '@tapeline/events/consumer/consumer-queries'
import { lagByGroup } from '@tapeline/events/consumer/lag'
import { createKafka } from '@tapeline/events/kafka'
import { routeEvents } from '@tapeline/events/route-events'
import type { Static, TObject } from 'typebox'
import { createServer, type Server, type ServerOptions } from '../create-server.ts'
import { type InternalKeys, readInternalKeys } from '../internal-keys.ts'
import { type Job, queueOf, startJobs } from '../jobs.ts'
import { createLogger, type Logger } from '../logger.ts'
import type { PlatformSettings } from '../platform-settings.ts'
import { redactConfig, rolesOf, type serviceFields } from '../read-config.ts'
import { connectRedis, type RedisClient, type RedisOptions } from '../redis.ts'
import { cacheSettings, connectSettings, type SettingsCache } from '../settings/connect-settings.ts'
import { startTracing } from '../tracing.ts'
import { closeWithin } from './close-within.ts'
import { type Process, runProcess } from './run-process.ts'

const STUCK_CHECK_MS = 500

type Pool = ReturnType<typeof createPool>
/** Separate, so that a slow job neither fails by the limit of requests nor uses their connections. */
export type Pools = {
  /** Of requests, consumers and deliveries: a statement has 2 s. */
  requests: Pool
  /** Of jobs: a statement has DATABASE_JOBS_STATEMENT_TIMEOUT_MS. */
  jobs: Pool
}
type ServiceConfig = Readonly<Static<TObject<typeof serviceFields>>> & { PORT: number }
type FetchSettings = Parameters<typeof cacheSettings>[0]['fetchSnapshot']
/** Where a service loads its settings from: the config service or, in that service, its own database. */
type SettingsSource = { configUrl: string } | { fetchSnapshot: (pool: Pool) => FetchSettings }

export type ServiceProcess<T extends TObject> = {
  name: ServiceName
  /** Marks the secret fields of `config`. */
  schema: T
  config: Readonly<Static<T>> & ServiceConfig
  settingsFrom: SettingsSource
  now?: () => Date
}

/** What every service is built from: connected, or connecting, when `build` runs, and stopped after what `build` started. */
export type Foundation = {
  logger: Logger
  internalKeys: InternalKeys
  /** Connections are opened when they are needed. */
  pools: Pools
  /** Options that the relay and all consumers share. */
  events: { kafka: ReturnType<typeof createKafka>; topicPrefix: string; log: Logger; now: () => Date }
  /** Announcements of committed work in the service's database. */
  signals: WorkSignals
  settings: PlatformSettings
  now: () => Date
  onStop: Process['onStop']
  connectRedis: (options: Omit<RedisOptions, 'url' | 'logger'>) => RedisClient
}

/** The parts of a service. Each runs only in a process with its role. */
export type ServiceParts = {
  /** Role `consumer`: starts the relay and the consumers. A process with a stuck consumer is not alive, and ends to be restarted. */
  consumers: () => { isStuck: () => boolean; stop: () => unknown }
  /** Role `jobs`. */
  jobs: () => Job[]
  /** Role `ingest`. */
  sources?: () => void
  /** Roles `http` and `stream`. The other roles answer probes only. */
  server: (options: Omit<ServerOptions, 'name' | 'now'>, roles: ReadonlySet<string>) => Promise<Server>
  options?: Pick<ServerOptions, 'registry'> & Partial<Pick<ServerOptions, 'checks'>>
}

/**
 * Runs the process of one service: connects PostgreSQL, Kafka and the platform settings, builds the service, starts the
 * parts of the roles in ROLES, and listens. SIGTERM stops them in reverse order, the server first.
 */
export async function startServiceProcess<T extends TObject>(
  service: ServiceProcess<T>,
  build: (foundation: Foundation) => Promise<ServiceParts> | ServiceParts,
): Promise<void> {
  const { name, schema, config } = service
  const logger = createLogger(name, config.LOG_LEVEL)
  await runProcess(logger, config.LAME_DUCK_MS, async (running) => {
    const { onStop } = running
    logger.info({ config: redactConfig(schema, config) }, 'starting')
    onStop('tracing', await startTracing({ service: name, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT }))
    const foundation = await openFoundation(service, logger, onStop)
    const app = await startParts(service, { foundation, parts: await build(foundation), running })
    onStop('http', () => closeWithin(app, config.DRAIN_TIMEOUT_MS), config.DRAIN_TIMEOUT_MS)
    await app.listen({ host: config.HOST, port: config.PORT })
    logger.info({ port: config.PORT }, 'ready')
  })
}

async function openFoundation<T extends TObject>(
  service: ServiceProcess<T>,
  logger: Logger,
  onStop: Process['onStop'],
): Promise<Foundation> {
  const { name, config, now = () => new Date() } = service
  const pools = openPools(service, logger, onStop)
  const signals = listenForWork({ connectionString: config.DATABASE_URL, application_name: `${name}-signals` })
  onStop('work signals', () => signals.stop())
  const internalKeys = readInternalKeys(config.INTERNAL_KEYS)
  const settingsCache = settingsOf(service, { logger, now, keys: internalKeys, pool: pools.requests })
  onStop('settings', () => settingsCache.stop())
  const kafka = createKafka({ brokers: config.KAFKA_BROKERS, clientId: name, log: logger })
  const topicPrefix = config.KAFKA_TOPIC_PREFIX
  const routes = routeEvents(settingsCache.handlers, topicPrefix)
  const changes = startBroadcastConsumer({
    kafka,
    name: `${topicPrefix}${name}-settings`,
    ...routes,
    onReceiving: () => void settingsCache.reload(),
    log: logger,
  })
  onStop('broadcast consumer', () => changes.stop())
  await settingsCache.start()
  return {
    logger,
    internalKeys,
    pools,
    events: { kafka, topicPrefix, log: logger, now },
    signals,
    settings: settingsCache.settings,
    now,
    onStop,
    connectRedis(options) {
      const redis = connectRedis({ ...options, url: config.REDIS_URL, logger })
      onStop('redis', () => redis.disconnect())
      return redis
    },
  }
}

function openPools<T extends TObject>(
  { name, config }: ServiceProcess<T>,
  logger: Logger,
  onStop: Process['onStop'],
): Pools {
  const shared = {
    url: config.DATABASE_URL,
    onError: (err: Error) => logger.warn({ err }, 'database: an idle connection was lost; it is replaced when needed'),
  }
  const requests = createPool({ ...shared, connectionsMax: config.DATABASE_CONNECTIONS_MAX, applicationName: name })
  const jobs = createPool({
    ...shared,
    ...JOB_TIMEOUTS,
    statementTimeoutMs: config.DATABASE_JOBS_STATEMENT_TIMEOUT_MS,
    connectionsMax: config.DATABASE_JOBS_CONNECTIONS_MAX,
    applicationName: `${name}-jobs`,
  })
  onStop('database', () => Promise.all([requests.end(), jobs.end()]))
  return { requests, jobs }
}

type SettingsParts = { logger: Logger; now: () => Date; keys: InternalKeys; pool: Pool }

function settingsOf<T extends TObject>(
  service: ServiceProcess<T>,
  { pool, keys, ...parts }: SettingsParts,
): SettingsCache {
  const { name, config, settingsFrom } = service
  const options = { ...parts, name, snapshotDir: config.SNAPSHOT_DIR }
  if ('fetchSnapshot' in settingsFrom)
    return cacheSettings({ ...options, fetchSnapshot: settingsFrom.fetchSnapshot(pool) })
  return connectSettings({ ...options, keys, configUrl: settingsFrom.configUrl })
}

type Built = { foundation: Foundation; parts: ServiceParts; running: Process }

async function startParts<T extends TObject>(
  { name, config }: ServiceProcess<T>,
  { foundation, parts, running: { onStop, isStopping, fail } }: Built,
): Promise<Server> {
  const { logger, internalKeys, settings, now } = foundation
  const pool = foundation.pools.requests
  const roles = rolesOf(config)
  let isAlive = () => true
  if (roles.has('consumer')) {
    const consumers = parts.consumers()
    onStop('consumers', () => consumers.stop())
    isAlive = () => !consumers.isStuck()
    const timer = setInterval(() => {
      if (consumers.isStuck()) fail('a partition has waiting messages and made no progress for 30 s')
    }, STUCK_CHECK_MS)
    timer.unref()
  }
  if (roles.has('ingest')) parts.sources?.()
  if (roles.has('jobs')) {
    const running = startJobs({ ...queueOf(name, config), jobs: parts.jobs(), logger, cancelWith })
    onStop('jobs', () => running.stop())
  }
  const checks = { database: () => pool.query('select 1') }
  const deadLetters = () => countDeadLetters(connectDatabase<ConsumerTables>(pool))
  const own = { checks, ...parts.options, ...(roles.has('consumer') ? { deadLetters } : {}) }
  const options = { logger, internalKeys, isStopping, isAlive, settings, lag: lagByGroup, ...own }
  if (roles.has('http') || roles.has('stream')) return parts.server(options, roles)
  return createServer({ ...options, name, now })
}
