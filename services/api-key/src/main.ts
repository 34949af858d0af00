import { connectDatabase, createPool } from '@tapeline/database/connect'
import { createKafka } from '@tapeline/events/kafka'
import { startBroadcastConsumer } from '@tapeline/events/broadcast-consumer'
import { routeEvents } from '@tapeline/events/route-events'
import { lagByGroup } from '@tapeline/events/consumer/lag'
import { connectSettings } from '@tapeline/service/settings/connect-settings'
import { createServer } from '@tapeline/service/create-server'
import { readInternalKeys } from '@tapeline/service/internal-keys'
import { queueOf, startJobs } from '@tapeline/service/jobs'
import { createLogger } from '@tapeline/service/logger'
import { rolesOf } from '@tapeline/service/read-config'
import { connectRedis } from '@tapeline/service/redis'
import { forgetVersion, raiseVersion } from '@tapeline/service/account-versions'
import { runService } from '@tapeline/service/process/run-service'
import { randomUUIDv7 } from 'node:crypto'
import { createApp } from './app.ts'
import { readUsageFromAudit } from './usage/read-usage-from-audit.ts'
import { Config, loadConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { jobs } from './jobs.ts'
import { startListening } from './start-listening.ts'
import type { Tables } from './tables.ts'

const REDIS_TIMEOUT_MS = 500

const config = loadConfig(process.env)
const logger = createLogger('api-key', config.LOG_LEVEL)
const roles = rolesOf(config)
const internalKeys = readInternalKeys(config.INTERNAL_KEYS)

await runService({ name: 'api-key', schema: Config, config, logger }, async ({ onStop, isStopping }) => {
  const pool = createPool({
    url: config.DATABASE_URL,
    connectionsMax: config.DATABASE_CONNECTIONS_MAX,
    applicationName: 'api-key',
    onError: (err) => logger.warn({ err }, 'database connection lost'),
  })
  onStop('database', () => pool.end())
  const redis = connectRedis({ url: config.REDIS_URL, logger, commandTimeoutMs: REDIS_TIMEOUT_MS })
  onStop('redis', () => redis.disconnect())
  const now = () => new Date()
  const kept = connectSettings({
    name: 'api-key',
    configUrl: config.CONFIG_URL,
    keys: internalKeys,
    snapshotDir: config.SNAPSHOT_DIR,
    logger,
    now,
  })
  onStop('settings', () => kept.stop())
  const deps: Deps = {
    db: connectDatabase<Tables>(pool),
    now,
    newId: () => randomUUIDv7(),
    raiseVersion: (version) => raiseVersion(redis, version),
    forgetVersion: (version) => forgetVersion(redis, version),
    settings: kept.settings,
    readKeyUsage: readUsageFromAudit(config.AUDIT_URL, internalKeys),
  }
  const changes = startBroadcastConsumer({
    kafka: createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'api-key', log: logger }),
    name: `${config.KAFKA_TOPIC_PREFIX}api-key-settings`,
    ...routeEvents(kept.handlers, config.KAFKA_TOPIC_PREFIX),
    log: logger,
  })
  onStop('broadcast consumer', () => changes.stop())
  await kept.start()
  let isAlive = () => true
  if (roles.has('consumer')) {
    const listening = startListening({ deps, relayDb: connectDatabase(pool), config, logger })
    onStop('listening', () => listening.stop())
    isAlive = () => !listening.isStuck()
  }
  if (roles.has('jobs')) {
    const running = startJobs({ ...queueOf('api-key', config), jobs: jobs(deps), logger })
    onStop('jobs', () => running.stop())
  }
  // Every role serves liveness probes; only `http` serves calls.
  const checks = { database: () => pool.query('select 1') }
  const options = { logger, internalKeys, isStopping, isAlive, checks, lag: lagByGroup }
  return roles.has('http')
    ? createApp(deps, options)
    : createServer({ ...options, name: 'api-key', now, settings: deps.settings })
})
