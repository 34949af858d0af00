import { createPool } from '@tapeline/database/connect'
import { startConsumer } from '@tapeline/events/consumer/consume'
import { createKafka } from '@tapeline/events/kafka'
import { startBroadcastConsumer } from '@tapeline/events/broadcast-consumer'
import { routeEvents } from '@tapeline/events/route-events'
import { lagByGroup } from '@tapeline/events/consumer/lag'
import { connectSettings } from '@tapeline/service/settings/connect-settings'
import { readInternalKeys } from '@tapeline/service/internal-keys'
import { createServer } from '@tapeline/service/create-server'
import { queueOf, startJobs } from '@tapeline/service/jobs'
import { createLogger } from '@tapeline/service/logger'
import type { PlatformSettings } from '@tapeline/service/platform-settings'
import { rolesOf } from '@tapeline/service/read-config'
import { runService } from '@tapeline/service/process/run-service'
import { createApp } from './app.ts'
import { Config, loadConfig } from './config.ts'
import { createDeps, type Deps } from './deps.ts'
import { jobs } from './jobs.ts'
import { openStore } from './lake/objects/open-store.ts'
import { startSimulator } from './simulator/start-simulator.ts'
import { subscriptions } from './subscriptions.ts'

const SECONDS_PER_HOUR = 3_600
const BYTES_PER_MB = 1024 * 1024

const config = loadConfig(process.env)
const logger = createLogger('market-data', config.LOG_LEVEL)
const roles = rolesOf(config)

await runService({ name: 'market-data', schema: Config, config, logger }, async ({ onStop, isStopping }) => {
  const pool = createPool({
    url: config.DATABASE_URL,
    connectionsMax: config.DATABASE_CONNECTIONS_MAX,
    applicationName: 'market-data',
    onError: (err) => logger.warn({ err }, 'a database connection broke'),
  })
  onStop('database', () => pool.end())
  const now = () => new Date()
  const kafka = createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'market-data', log: logger })
  const topicPrefix = config.KAFKA_TOPIC_PREFIX
  const internalKeys = readInternalKeys(config.INTERNAL_KEYS)
  const kept = connectSettings({
    name: 'market-data',
    configUrl: config.CONFIG_URL,
    keys: internalKeys,
    snapshotDir: config.SNAPSHOT_DIR,
    logger,
    now,
  })
  onStop('settings', () => kept.stop())
  const deps = createDeps(pool, now, config.CURSOR_SECRET, {
    settings: kept.settings,
    store: openStore(config),
    lakeMemoryBytes: config.LAKE_MEMORY_MB * BYTES_PER_MB,
  })
  const changes = startBroadcastConsumer({
    kafka,
    name: `${topicPrefix}market-data-settings`,
    ...routeEvents(kept.handlers, topicPrefix),
    log: logger,
  })
  onStop('broadcast consumer', () => changes.stop())
  await kept.start()
  let isAlive = () => true
  if (roles.has('consumer')) {
    const consumer = startListening(deps, kafka)
    onStop('consumer', () => consumer.stop())
    isAlive = () => !consumer.progress.isStuck()
  }
  if (roles.has('ingest')) {
    const historySeconds = config.SIMULATOR_HISTORY_HOURS * SECONDS_PER_HOUR
    const simulator = startSimulator(deps, { kafka, topicPrefix, seed: config.SIMULATOR_SEED, historySeconds, logger })
    onStop('simulator', () => simulator.stop())
  }
  if (roles.has('jobs')) {
    const lakeKeepDays = config.LAKE_URL === '' ? undefined : config.LAKE_KEEP_DAYS
    const retention = { retentionDays: () => retentionDaysIn(kept.settings), lakeKeepDays }
    const running = startJobs({ ...queueOf('market-data', config), jobs: jobs(deps, retention), logger })
    onStop('jobs', () => running.stop())
  }
  // Every role is asked whether it is alive; only `http` has pages to show.
  const { settings } = kept
  const checks = { database: () => pool.query('select 1') }
  const options = { logger, internalKeys, isStopping, isAlive, settings, checks, lag: lagByGroup }
  return roles.has('http') ? createApp(deps, options) : createServer({ ...options, name: 'market-data', now: deps.now })
})

function startListening(deps: Deps, kafka: ReturnType<typeof createKafka>) {
  return startConsumer({
    kafka,
    db: deps.db,
    group: 'market-data',
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    subscriptions: subscriptions(deps),
    log: logger,
    now: deps.now,
  })
}

function retentionDaysIn(settings: PlatformSettings): number {
  const stored = settings.storedValueOf('system_config.retention')
  return stored?.simulated_record_days ?? config.SIMULATOR_RETENTION_DAYS
}
