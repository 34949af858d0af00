import { createHash, randomUUIDv7 } from 'node:crypto'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { createKafka } from '@tapeline/events/kafka'
import { startBroadcastConsumer } from '@tapeline/events/broadcast-consumer'
import { routeEvents } from '@tapeline/events/route-events'
import { lagByGroup } from '@tapeline/events/consumer/lag'
import { createServiceClient } from '@tapeline/service/calls/call-service'
import { connectSettings } from '@tapeline/service/settings/connect-settings'
import { createServer } from '@tapeline/service/create-server'
import { readInternalKeys } from '@tapeline/service/internal-keys'
import { queueOf, startJobs } from '@tapeline/service/jobs'
import { createLogger } from '@tapeline/service/logger'
import { rolesOf } from '@tapeline/service/read-config'
import { connectRedis, type RedisClient } from '@tapeline/service/redis'
import { runService } from '@tapeline/service/process/run-service'
import { createApp } from './app.ts'
import { Config, loadConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { jobs } from './jobs.ts'
import { driftMetrics } from './reconciliation/drift-metrics.ts'
import { createKeyOwner } from './key-owner.ts'
import { createLimiter } from './reconciliation/limiter.ts'
import { startConsumers } from './ingest/start-consumers.ts'
import type { Tables } from './tables.ts'

const API_KEY_TIMEOUT_MS = 1_000
const REDIS_TIMEOUT_MS = 1_000
/** A batch of a thousand rows on a busy machine may take longer than a request may. */
const BATCH_STATEMENT_TIMEOUT_MS = 10_000

const config = loadConfig(process.env)
const logger = createLogger('audit', config.LOG_LEVEL)
const roles = rolesOf(config)
const internalKeys = readInternalKeys(config.INTERNAL_KEYS)

await runService({ name: 'audit', schema: Config, config, logger }, async ({ onStop, isStopping }) => {
  const pool = openPool('audit')
  onStop('database', () => pool.end())
  const redis = openRedis()
  onStop('redis', async () => redis.disconnect())
  const now = () => new Date()
  const kept = connectSettings({
    name: 'audit',
    configUrl: config.CONFIG_URL,
    keys: internalKeys,
    snapshotDir: config.SNAPSHOT_DIR,
    logger,
    now,
  })
  onStop('settings', () => kept.stop())
  const kafka = createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'audit', log: logger })
  const topicPrefix = config.KAFKA_TOPIC_PREFIX
  const changes = startBroadcastConsumer({
    kafka,
    name: `${topicPrefix}audit-settings`,
    ...routeEvents(kept.handlers, topicPrefix),
    log: logger,
  })
  onStop('broadcast consumer', () => changes.stop())
  await kept.start()
  const deps = createDeps(connectDatabase(pool), redis, { settings: kept.settings, now })
  let isAlive = () => true
  if (roles.has('consumer')) {
    const consumerPool = openPool('audit-consumer', BATCH_STATEMENT_TIMEOUT_MS)
    onStop('consumer database', () => consumerPool.end())
    const consumers = startConsumers({
      deps: { ...deps, db: connectDatabase<Tables>(consumerPool) },
      outbox: connectDatabase(consumerPool),
      kafka,
      topicPrefix,
      log: logger,
    })
    onStop('consumers', () => consumers.stop())
    isAlive = () => !consumers.isStuck()
  }
  if (roles.has('jobs')) {
    const running = startJobs({ ...queueOf('audit', config), jobs: jobs(deps, config.GATEWAY_URL), logger })
    onStop('jobs', () => running.stop())
  }
  // Every role serves liveness probes; only `http` serves calls.
  const options = {
    logger,
    internalKeys,
    isStopping,
    isAlive,
    lag: lagByGroup,
    registry: driftMetrics(deps),
    checks: { database: () => pool.query('select 1') },
  }
  return roles.has('http')
    ? createApp(deps, options)
    : createServer({ ...options, name: 'audit', now, settings: deps.settings })
})

function openRedis() {
  return connectRedis({
    url: config.REDIS_URL,
    logger,
    commandTimeoutMs: REDIS_TIMEOUT_MS,
    autoPipelining: true,
  })
}

function createDeps(db: Deps['db'], redis: RedisClient, { settings, now }: Pick<Deps, 'settings' | 'now'>): Deps {
  const apiKey = createServiceClient({
    caller: 'audit',
    audience: 'api-key',
    baseUrl: config.API_KEY_URL,
    keys: internalKeys,
    timeoutMs: API_KEY_TIMEOUT_MS,
  })
  return {
    db,
    now,
    newId: () => randomUUIDv7(),
    // Derived, because market-data may be configured with the same secret.
    cursorKey: createHash('sha256').update(`audit ${config.CURSOR_SECRET}`).digest(),
    settings,
    retention: {
      get rowDays() {
        const stored = settings.storedValueOf('system_config.retention')
        return stored?.usage_row_days ?? config.USAGE_ROWS_RETENTION_DAYS
      },
    },
    limiter: createLimiter(redis),
    ownsKey: createKeyOwner(apiKey),
  }
}

function openPool(applicationName: string, statementTimeoutMs?: number) {
  return createPool({
    url: config.DATABASE_URL,
    connectionsMax: config.DATABASE_CONNECTIONS_MAX,
    applicationName,
    ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }),
    onError: (err) => logger.warn({ err }, 'database connection lost'),
  })
}
