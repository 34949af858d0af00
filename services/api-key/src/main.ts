import { randomUUIDv7 } from 'node:crypto'
import { connectDatabase } from '@tapeline/database/connect'
import { deleteVersion, raiseVersion } from '@tapeline/service/account-versions'
import { startServiceProcess } from '@tapeline/service/process/start-service-process'
import { createApp } from './app.ts'
import { Config, loadConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { jobs } from './jobs.ts'
import { startListening } from './start-listening.ts'
import type { Tables } from './tables.ts'
import { readUsageFromAudit } from './usage/read-usage-from-audit.ts'

const REDIS_TIMEOUT_MS = 500

const config = loadConfig(process.env)
const settingsFrom = { configUrl: config.CONFIG_URL }

await startServiceProcess({ name: 'api-key', schema: Config, config, settingsFrom }, (foundation) => {
  const { pools, settings, now, events, signals, internalKeys } = foundation
  const redis = foundation.connectRedis({ commandTimeoutMs: REDIS_TIMEOUT_MS })
  const deps: Deps = {
    db: connectDatabase<Tables>(pools.requests),
    now,
    newId: () => randomUUIDv7(),
    raiseVersion: (version) => raiseVersion(redis, version),
    deleteVersion: (version) => deleteVersion(redis, version),
    settings,
    readKeyUsage: readUsageFromAudit(config.AUDIT_URL, internalKeys),
  }
  return {
    consumers: () => startListening(deps, connectDatabase(pools.requests), { ...events, signals }),
    jobs: () => jobs({ ...deps, db: connectDatabase<Tables>(pools.jobs) }),
    server: (options) => createApp(deps, options),
  }
})
