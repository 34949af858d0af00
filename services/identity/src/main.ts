import { randomUUIDv7 } from 'node:crypto'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { createKafka } from '@tapeline/events/kafka'
import { startRelay } from '@tapeline/events/relay'
import { markSeeded, raiseVersion } from '@tapeline/service/account-versions'
import { createServiceClient } from '@tapeline/service/call-service'
import { readInternalKeys } from '@tapeline/service/internal-keys'
import { startJobs } from '@tapeline/service/jobs'
import { createLogger } from '@tapeline/service/logger'
import { redactConfig, rolesOf } from '@tapeline/service/read-config'
import { connectRedis } from '@tapeline/service/redis'
import { runProcess } from '@tapeline/service/run-process'
import { createSteadyClock } from '@tapeline/service/steady-clock'
import { startTracing } from '@tapeline/service/tracing'
import { createApp } from './app.ts'
import { Config, lifeTimes, loadConfig, passwordSettings, providerSettings, trySettings } from './config.ts'
import type { Deps } from './deps.ts'
import { jobs } from './jobs.ts'
import { createMailer } from './mail/mailer.ts'
import { startMailQueue } from './mail/start-mail-queue.ts'
import { createProvider } from './oauth/provider.ts'
import { createSignInTries } from './sessions/sign-in-tries.ts'
import { createSigningKeys } from './sessions/signing-keys.ts'
import type { Tables } from './tables.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { createProfileFinder } from './users/profile-finder.ts'

const REDIS_TIMEOUT_MS = 500
/** A sign-in waits no longer than this for the flags of the user. */
const CONFIG_TIMEOUT_MS = 1_000

const config = loadConfig(process.env)
const logger = createLogger('identity', config.LOG_LEVEL)
const roles = rolesOf(config)
const internalKeys = readInternalKeys(config.INTERNAL_KEYS)

await runProcess(logger, config.LAME_DUCK_MS, async ({ onStop, isStopping }) => {
  logger.info({ config: redactConfig(Config, config) }, 'starting')
  onStop('tracing', await startTracing({ service: 'identity', endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT }))
  const pool = createPool({
    url: config.DATABASE_URL,
    connectionsMax: config.DATABASE_CONNECTIONS_MAX,
    applicationName: 'identity',
    onError: (err) => logger.warn({ err }, 'a database connection broke'),
  })
  onStop('database', () => pool.end())
  const redis = connectRedis({ url: config.REDIS_URL, logger, commandTimeoutMs: REDIS_TIMEOUT_MS })
  onStop('redis', () => redis.disconnect())
  const deps = await createDeps(pool, redis)
  const keys = { db: deps.db, now: deps.now, secret: config.IDENTITY_SECRET }
  if (roles.has('consumer')) {
    const relay = startRelay({
      db: connectDatabase(pool),
      kafka: createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'identity', log: logger }),
      topicPrefix: config.KAFKA_TOPIC_PREFIX,
      log: logger,
      now: deps.now,
      raiseVersion: deps.raiseVersion,
    })
    onStop('relay', () => relay.stop())
  }
  if (roles.has('jobs')) {
    const redisUrl = config.REDIS_JOBS_URL || config.REDIS_URL
    const queue = `${config.KAFKA_TOPIC_PREFIX}identity`
    const mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM })
    const mails = startMailQueue(deps, { redisUrl, name: `${queue}-mail`, send: mailer.send, logger })
    onStop('mail', async () => {
      await mails.stop()
      mailer.close()
    })
    const running = startJobs({ redisUrl, queue, jobs: jobs(deps, keys), logger })
    onStop('jobs', () => running.stop())
  }
  if (roles.has('http')) {
    const checks = { database: () => pool.query('select 1') }
    const signingKeys = createSigningKeys(keys)
    const app = await createApp(deps, { logger, internalKeys, isStopping, checks, signingKeys })
    onStop('http', () => app.close())
    await app.listen({ host: config.HOST, port: config.PORT })
  }
  logger.info({ port: config.PORT }, 'ready')
})

async function createDeps(pool: ReturnType<typeof createPool>, redis: ReturnType<typeof connectRedis>): Promise<Deps> {
  const client = createServiceClient({
    caller: 'identity',
    audience: 'config',
    baseUrl: config.CONFIG_URL,
    keys: internalKeys,
    timeoutMs: CONFIG_TIMEOUT_MS,
  })
  const steadyMs = createSteadyClock()
  const now = () => new Date(steadyMs())
  return {
    db: connectDatabase<Tables>(pool),
    secret: config.IDENTITY_SECRET,
    webOrigin: config.WEB_ORIGIN,
    contactEmail: config.CONTACT_EMAIL,
    ...lifeTimes(config),
    now,
    newId: () => randomUUIDv7(),
    passwords: await createPasswordHasher(passwordSettings(config)),
    provider: createProvider(providerSettings(config), now),
    tries: createSignInTries(redis, trySettings(config), now),
    findProfile: createProfileFinder(client, logger),
    raiseVersion: (version) => raiseVersion(redis, version),
    markSeeded: (accountId) => markSeeded(redis, accountId, now().getTime()),
  }
}
