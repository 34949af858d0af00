import { randomUUIDv7 } from 'node:crypto'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { markSeeded, raiseVersion } from '@tapeline/service/account-versions'
import { createKafka } from '@tapeline/events/kafka'
import { startBroadcastConsumer } from '@tapeline/events/broadcast-consumer'
import { routeEvents } from '@tapeline/events/route-events'
import { lagByGroup } from '@tapeline/events/consumer/lag'
import { connectSettings } from '@tapeline/service/settings/connect-settings'
import { createServiceClient } from '@tapeline/service/calls/call-service'
import { createServer } from '@tapeline/service/create-server'
import { readInternalKeys } from '@tapeline/service/internal-keys'
import { queueOf, startJobs } from '@tapeline/service/jobs'
import { createLogger } from '@tapeline/service/logger'
import { rolesOf } from '@tapeline/service/read-config'
import { connectRedis } from '@tapeline/service/redis'
import { runService } from '@tapeline/service/process/run-service'
import { createSteadyClock } from '@tapeline/service/steady-clock'
import { createApp } from './app.ts'
import { Config, lifeTimes, loadConfig, passwordSettings, providerSettings, trySettings } from './config.ts'
import { connectNotices } from './deliveries/connect-notices.ts'
import type { Deps } from './deps.ts'
import { jobs } from './jobs.ts'
import { createProvider } from './oauth/provider.ts'
import { startDeliveries } from './deliveries/start-deliveries.ts'
import { startListening } from './start-listening.ts'
import { createSignInTries } from './sign-in-limits/sign-in-tries.ts'
import { createSigningKeys } from './sessions/signing-keys.ts'
import type { Tables } from './tables.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { createProfileFinder } from './users/profile-finder.ts'

const REDIS_TIMEOUT_MS = 500
/** Maximum delay of a sign-in by the call to config for the user's flags. */
const CONFIG_TIMEOUT_MS = 1_000

const config = loadConfig(process.env)
const logger = createLogger('identity', config.LOG_LEVEL)
const roles = rolesOf(config)
const internalKeys = readInternalKeys(config.INTERNAL_KEYS)

await runService({ name: 'identity', schema: Config, config, logger }, async ({ onStop, isStopping }) => {
  const pool = createPool({
    url: config.DATABASE_URL,
    connectionsMax: config.DATABASE_CONNECTIONS_MAX,
    applicationName: 'identity',
    onError: (err) => logger.warn({ err }, 'database connection lost'),
  })
  onStop('database', () => pool.end())
  const redis = connectRedis({ url: config.REDIS_URL, logger, commandTimeoutMs: REDIS_TIMEOUT_MS })
  onStop('redis', () => redis.disconnect())
  const steadyMs = createSteadyClock()
  const now = () => new Date(steadyMs())
  const { settings, ...keeping } = connectSettings({
    name: 'identity',
    configUrl: config.CONFIG_URL,
    keys: internalKeys,
    snapshotDir: config.SNAPSHOT_DIR,
    logger,
    now,
  })
  onStop('settings', () => keeping.stop())
  const changes = startBroadcastConsumer({
    kafka: createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'identity', log: logger }),
    name: `${config.KAFKA_TOPIC_PREFIX}identity-settings`,
    ...routeEvents(keeping.handlers, config.KAFKA_TOPIC_PREFIX),
    log: logger,
  })
  onStop('broadcast consumer', () => changes.stop())
  await keeping.start()
  const deps = await createDeps(pool, redis, { settings, now })
  const keys = { db: deps.db, now: deps.now, secret: config.IDENTITY_SECRET }
  let isAlive = () => true
  if (roles.has('consumer')) {
    const listening = startListening({ deps, relayDb: connectDatabase(pool), config, logger })
    onStop('listening', () => listening.stop())
    isAlive = () => !listening.isStuck()
  }
  if (roles.has('jobs')) {
    const queue = queueOf('identity', config)
    const delivering = startDeliveries(deps, { ...queue, config, logger })
    onStop('deliveries', () => delivering.stop())
    const running = startJobs({ ...queue, jobs: jobs(deps, keys, logger), logger })
    onStop('jobs', () => running.stop())
  }
  // Every role serves liveness probes; only `http` serves calls.
  const checks = { database: () => pool.query('select 1') }
  const options = { logger, internalKeys, isStopping, isAlive, checks, lag: lagByGroup }
  return roles.has('http')
    ? createApp(deps, { ...options, signingKeys: createSigningKeys(keys) })
    : createServer({ ...options, name: 'identity', now, settings })
})

async function createDeps(
  pool: ReturnType<typeof createPool>,
  redis: ReturnType<typeof connectRedis>,
  { settings, now }: Pick<Deps, 'settings' | 'now'>,
): Promise<Deps> {
  const client = createServiceClient({
    caller: 'identity',
    audience: 'config',
    baseUrl: config.CONFIG_URL,
    keys: internalKeys,
    timeoutMs: CONFIG_TIMEOUT_MS,
  })
  const db = connectDatabase<Tables>(pool)
  return {
    db,
    ...connectNotices({ config, secret: config.IDENTITY_SECRET, keys: internalKeys, db, now }),
    secret: config.IDENTITY_SECRET,
    webOrigin: config.WEB_ORIGIN,
    contactEmail: config.CONTACT_EMAIL,
    ...lifeTimes(config),
    now,
    newId: () => randomUUIDv7(),
    passwords: await createPasswordHasher(passwordSettings(config)),
    provider: createProvider(providerSettings(config), now),
    tries: createSignInTries(redis, trySettings(config), now),
    settings,
    findProfile: createProfileFinder(client, logger),
    raiseVersion: (version) => raiseVersion(redis, version),
    markSeeded: (accountId) => markSeeded(redis, accountId, now().getTime()),
  }
}
