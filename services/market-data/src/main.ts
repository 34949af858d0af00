import { createPool } from '@tapeline/database/connect'
import { startConsumer } from '@tapeline/events/consume'
import { createKafka } from '@tapeline/events/kafka'
import { keepListening } from '@tapeline/events/keep-listening'
import { connectSettings } from '@tapeline/service/connect-settings'
import { readInternalKeys } from '@tapeline/service/internal-keys'
import { createServer } from '@tapeline/service/create-server'
import { startJobs } from '@tapeline/service/jobs'
import { createLogger } from '@tapeline/service/logger'
import { redactConfig, rolesOf } from '@tapeline/service/read-config'
import { runProcess } from '@tapeline/service/run-process'
import { startTracing } from '@tapeline/service/tracing'
import { createApp } from './app.ts'
import { Config, loadConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { jobs } from './jobs.ts'
import { startSimulator } from './simulator/start-simulator.ts'
import { subscriptions } from './subscriptions.ts'

const SECONDS_PER_HOUR = 3_600

const config = loadConfig(process.env)
const logger = createLogger('market-data', config.LOG_LEVEL)
const roles = rolesOf(config)

await runProcess(logger, config.LAME_DUCK_MS, async ({ onStop, isStopping }) => {
  logger.info({ config: redactConfig(Config, config) }, 'starting')
  onStop('tracing', await startTracing({ service: 'market-data', endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT }))
  const pool = createPool({
    url: config.DATABASE_URL,
    connectionsMax: config.DATABASE_CONNECTIONS_MAX,
    applicationName: 'market-data',
    onError: (err) => logger.warn({ err }, 'a database connection broke'),
  })
  onStop('database', () => pool.end())
  const deps = createDeps(pool, () => new Date(), config.CURSOR_SECRET)
  const kafka = createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'market-data', log: logger })
  const topicPrefix = config.KAFKA_TOPIC_PREFIX
  const internalKeys = readInternalKeys(config.INTERNAL_KEYS)
  const kept = connectSettings({
    name: 'market-data',
    configUrl: config.CONFIG_URL,
    keys: internalKeys,
    snapshotDir: config.SNAPSHOT_DIR,
    logger,
    now: deps.now,
  })
  onStop('settings', () => kept.stop())
  const hearing = keepListening({
    kafka,
    name: 'market-data-settings',
    topicPrefix,
    listeners: kept.listeners,
    log: logger,
  })
  onStop('hearing', () => hearing.stop())
  await kept.start()
  let isAlive = () => true
  if (roles.has('consumer')) {
    const { db, now } = deps
    const consumer = startConsumer({
      kafka,
      db,
      group: 'market-data',
      topicPrefix,
      subscriptions: subscriptions(deps),
      log: logger,
      now,
    })
    onStop('consumer', () => consumer.stop())
    isAlive = () => !consumer.progress.isStuck()
  }
  if (roles.has('ingest')) {
    const historySeconds = config.SIMULATOR_HISTORY_HOURS * SECONDS_PER_HOUR
    const simulator = startSimulator(deps, { kafka, topicPrefix, seed: config.SIMULATOR_SEED, historySeconds, logger })
    onStop('simulator', () => simulator.stop())
  }
  if (roles.has('jobs')) {
    const running = startJobs({
      redisUrl: config.REDIS_JOBS_URL || config.REDIS_URL,
      queue: `${topicPrefix}market-data`,
      jobs: jobs(deps, {
        retentionDays: () =>
          kept.settings.storedValueOf('system_config.retention')?.simulated_record_days ??
          config.SIMULATOR_RETENTION_DAYS,
      }),
      logger,
    })
    onStop('jobs', () => running.stop())
  }
  // Every role is asked whether it is alive; only `http` has pages to show.
  const { settings } = kept
  const checks = { database: () => pool.query('select 1') }
  const options = { logger, internalKeys, isStopping, isAlive, settings, checks }
  const app = roles.has('http')
    ? await createApp(deps, options)
    : await createServer({ ...options, name: 'market-data', now: deps.now })
  onStop('http', () => app.close())
  await app.listen({ host: config.HOST, port: config.PORT })
  logger.info({ port: config.PORT }, 'ready')
})
