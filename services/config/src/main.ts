import { randomUUIDv7 } from 'node:crypto'
import { connectDatabase } from '@tapeline/database/connect'
import { startConsumer } from '@tapeline/events/consumer/consume'
import { startRelay } from '@tapeline/events/relay'
import { raiseVersion } from '@tapeline/service/account-versions'
import { type Foundation, startServiceProcess } from '@tapeline/service/process/start-service-process'
import { createApp } from './app.ts'
import { createIdentityClient } from './identity-client.ts'
import { Config, loadConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { startFlagClock } from './flags/start-flag-clock.ts'
import { jobs } from './jobs.ts'
import { readPlatformSnapshot } from './read-platform-snapshot.ts'
import { subscriptions } from './subscriptions.ts'
import type { Tables } from './tables.ts'

const REDIS_TIMEOUT_MS = 500

const config = loadConfig(process.env)

await startServiceProcess(
  {
    name: 'config',
    schema: Config,
    config,
    settingsFrom: {
      fetchSnapshot(pool) {
        const db = connectDatabase<Tables>(pool)
        return (cached) => readPlatformSnapshot({ db }, cached)
      },
    },
  },
  (foundation) => {
    const { pools, settings, logger, onStop } = foundation
    const deps = createDeps(foundation)
    return {
      consumers: () => startConsumers(deps, foundation),
      jobs() {
        const jobDeps = { ...deps, db: connectDatabase<Tables>(pools.jobs) }
        const clock = startFlagClock(jobDeps, logger)
        onStop('flag clock', () => clock.stop())
        return jobs(jobDeps)
      },
      server: (options) => createApp(deps, options),
      // With a snapshot most calls can be served while the database is unavailable.
      options: { checks: { database: async () => settings.report().version > 0 || pools.requests.query('select 1') } },
    }
  },
)

function createDeps({ pools, settings, now, internalKeys, connectRedis }: Foundation): Deps {
  const redis = connectRedis({ commandTimeoutMs: REDIS_TIMEOUT_MS })
  return {
    db: connectDatabase<Tables>(pools.requests),
    settings,
    now,
    newId: () => randomUUIDv7(),
    raiseVersion: (version) => raiseVersion(redis, version),
    ...createIdentityClient(config.IDENTITY_URL, internalKeys),
  }
}

function startConsumers(deps: Deps, { pools, events, signals }: Foundation) {
  const relay = startRelay({ ...events, signals, db: connectDatabase(pools.requests), raiseVersion: deps.raiseVersion })
  const accounts = startConsumer({
    ...events,
    db: deps.db,
    group: 'config-accounts',
    subscriptions: subscriptions(deps),
  })
  return {
    isStuck: () => accounts.progress.isStuck(),
    stop: () => Promise.all([accounts.stop(), relay.stop()]),
  }
}
