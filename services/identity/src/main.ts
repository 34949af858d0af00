import { randomUUIDv7 } from 'node:crypto'
import { connectDatabase } from '@tapeline/database/connect'
import { markSeeded, raiseVersion } from '@tapeline/service/account-versions'
import { createServiceClient } from '@tapeline/service/calls/call-service'
import { readSecrets } from '@tapeline/service/encryption'
import { queueOf } from '@tapeline/service/jobs'
import { type Foundation, startServiceProcess } from '@tapeline/service/process/start-service-process'
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
const secrets = readSecrets(config.IDENTITY_SECRET)
const steadyMs = createSteadyClock()
const now = () => new Date(steadyMs())
const settingsFrom = { configUrl: config.CONFIG_URL }

await startServiceProcess({ name: 'identity', schema: Config, config, settingsFrom, now }, async (foundation) => {
  const { pools, events, signals, logger, onStop } = foundation
  const deps = await createDeps(foundation)
  const keys = { db: deps.db, now: deps.now, secret: secrets }
  return {
    consumers: () => startListening(deps, connectDatabase(pools.requests), { ...events, signals }),
    jobs() {
      const delivering = startDeliveries(deps, { ...queueOf('identity', config), config, logger, signals })
      onStop('deliveries', () => delivering.stop())
      const db = connectDatabase<Tables>(pools.jobs)
      return jobs({ ...deps, db }, { ...keys, db }, logger)
    },
    server: (options) => createApp(deps, { ...options, signingKeys: createSigningKeys(keys) }),
  }
})

async function createDeps({ pools, settings, internalKeys, logger, connectRedis }: Foundation): Promise<Deps> {
  const redis = connectRedis({ commandTimeoutMs: REDIS_TIMEOUT_MS })
  const client = createServiceClient({
    caller: 'identity',
    audience: 'config',
    baseUrl: config.CONFIG_URL,
    keys: internalKeys,
    timeoutMs: CONFIG_TIMEOUT_MS,
  })
  const db = connectDatabase<Tables>(pools.requests)
  return {
    db,
    ...connectNotices({ config, secret: secrets, keys: internalKeys, db, now }),
    secret: secrets,
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
