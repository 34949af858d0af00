import { randomUUIDv7 } from 'node:crypto'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { createKafka } from '@tapeline/events/kafka'
import { startBroadcastConsumer } from '@tapeline/events/broadcast-consumer'
import { routeEvents } from '@tapeline/events/route-events'
import { startConsumer } from '@tapeline/events/consumer/consume'
import { startRelay } from '@tapeline/events/relay'
import { lagByGroup } from '@tapeline/events/consumer/lag'
import { raiseVersion } from '@tapeline/service/account-versions'
import { keepSettings } from '@tapeline/service/settings/connect-settings'
import { createServer, type Server } from '@tapeline/service/create-server'
import { readInternalKeys } from '@tapeline/service/internal-keys'
import { queueOf, startJobs } from '@tapeline/service/jobs'
import { createLogger } from '@tapeline/service/logger'
import { rolesOf } from '@tapeline/service/read-config'
import { connectRedis } from '@tapeline/service/redis'
import { runService } from '@tapeline/service/process/run-service'
import { createApp } from './app.ts'
import { askIdentity } from './ask-identity.ts'
import { Config, loadConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { startFlagClock } from './flags/start-flag-clock.ts'
import { jobs } from './jobs.ts'
import { readPlatformSnapshot } from './read-platform-snapshot.ts'
import { subscriptions } from './subscriptions.ts'
import type { Tables } from './tables.ts'

const REDIS_TIMEOUT_MS = 500

const config = loadConfig(process.env)
const logger = createLogger('config', config.LOG_LEVEL)
const roles = rolesOf(config)
const internalKeys = readInternalKeys(config.INTERNAL_KEYS)

await runService({ name: 'config', schema: Config, config, logger }, async ({ onStop, isStopping }) => {
  const pool = openPool()
  onStop('database', () => pool.end())
  const redis = connectRedis({ url: config.REDIS_URL, logger, commandTimeoutMs: REDIS_TIMEOUT_MS })
  onStop('redis', () => redis.disconnect())
  const db = connectDatabase<Tables>(pool)
  const now = () => new Date()
  const { settings, ...keeping } = keepSettings({
    name: 'config',
    ask: (known) => readPlatformSnapshot({ db }, known),
    snapshotDir: config.SNAPSHOT_DIR,
    logger,
    now,
  })
  onStop('settings', () => keeping.stop())
  const deps: Deps = {
    db,
    settings,
    now,
    newId: () => randomUUIDv7(),
    raiseVersion: (version) => raiseVersion(redis, version),
    ...askIdentity(config.IDENTITY_URL, internalKeys),
  }
  const kafka = createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'config', log: logger })
  const { handlers } = keeping
  const topicPrefix = config.KAFKA_TOPIC_PREFIX
  const changes = startBroadcastConsumer({
    kafka,
    name: `${topicPrefix}config`,
    ...routeEvents(handlers, topicPrefix),
    log: logger,
  })
  onStop('broadcast consumer', () => changes.stop())
  await keeping.start()
  let isAlive = () => true
  if (roles.has('consumer')) {
    const shared = { kafka, topicPrefix, log: logger, now }
    const relay = startRelay({ ...shared, db: connectDatabase(pool), raiseVersion: deps.raiseVersion })
    onStop('relay', () => relay.stop())
    const accounts = startConsumer({ ...shared, db, group: 'config-accounts', subscriptions: subscriptions() })
    onStop('accounts', () => accounts.stop())
    isAlive = () => !accounts.progress.isStuck()
  }
  if (roles.has('jobs')) {
    const running = startJobs({ ...queueOf('config', config), jobs: jobs(deps), logger })
    onStop('jobs', () => running.stop())
    const clock = startFlagClock(deps, logger)
    onStop('flag clock', () => clock.stop())
  }
  // With a snapshot most calls can be served while the database is unavailable.
  const checks = { database: async () => settings.report().version > 0 || pool.query('select 1') }
  return createServerOf(deps, { logger, internalKeys, isStopping, isAlive, checks, lag: lagByGroup })
})

function openPool() {
  return createPool({
    url: config.DATABASE_URL,
    connectionsMax: config.DATABASE_CONNECTIONS_MAX,
    applicationName: 'config',
    onError: (err) => logger.warn({ err }, 'database connection lost'),
  })
}

/** Every role serves liveness probes; only `http` serves calls. */
async function createServerOf(deps: Deps, options: Parameters<typeof createApp>[1]): Promise<Server> {
  if (roles.has('http')) return createApp(deps, options)
  return createServer({ ...options, name: 'config', now: deps.now, settings: deps.settings })
}
