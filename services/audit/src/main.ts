import { createHash, randomUUIDv7 } from 'node:crypto'
import { SubscriptionRecord } from '@tapeline/contracts/config/http'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { openStore } from '@tapeline/objects/open-store'
import { createServiceClient } from '@tapeline/service/calls/call-service'
import { queueOf } from '@tapeline/service/jobs'
import type { Logger } from '@tapeline/service/logger'
import { type Foundation, startServiceProcess } from '@tapeline/service/process/start-service-process'
import { createApp } from './app.ts'
import type { BackgroundDeps } from './background.ts'
import { Config, loadConfig } from './config.ts'
import type { ReadSubscription } from './custom-reports/make-due-reports.ts'
import type { Deps } from './deps.ts'
import { createSigner } from './evidence/signatures.ts'
import type { ForecastDeps } from './forecast/show-forecast.ts'
import { startConsumers } from './ingest/start-consumers.ts'
import { jobs } from './jobs.ts'
import { createKeyOwner } from './key-owner.ts'
import { stopArchiving } from './request-log/archive/archive-in-thread.ts'
import { measureArchive } from './request-log/archive/archive-metrics.ts'
import type { Registry } from '@tapeline/service/metrics'
import { driftMetrics } from './reconciliation/drift-metrics.ts'
import { createLimiter } from './reconciliation/limiter.ts'
import type { Tables } from './tables.ts'
import type { TrailReceiver } from './trail/stream-trail.ts'
import { startWebhookQueue } from './webhooks/deliveries/start-webhook-queue.ts'
import { createWebhookPoster } from './webhooks/deliveries/webhook-poster.ts'
import { createSecretVault } from './webhooks/secret-vault.ts'
import type { WebhookDeps } from './webhooks/webhook-deps.ts'

const API_KEY_TIMEOUT_MS = 1_000
const CONFIG_TIMEOUT_MS = 2_000
const REDIS_TIMEOUT_MS = 1_000
/** A batch of a thousand rows on a busy machine may take longer than a request may. */
const BATCH_STATEMENT_TIMEOUT_MS = 10_000

const config = loadConfig(process.env)
const settingsFrom = { configUrl: config.CONFIG_URL }

await startServiceProcess({ name: 'audit', schema: Config, config, settingsFrom }, (foundation) => {
  const deps = createDeps(foundation)
  return {
    consumers: () => startConsumersOf(deps, foundation),
    jobs() {
      startWebhooks(deps, foundation)
      foundation.onStop('request archive', stopArchiving)
      const jobDeps = { ...deps, db: deps.jobsDb, logger: foundation.logger }
      return jobs(jobDeps, config.GATEWAY_URL, deps.readSubscription)
    },
    server: (options) => createApp(deps, options),
    options: { registry: metricsOf(deps) },
  }
})

function metricsOf(deps: ReturnType<typeof createDeps>): Registry {
  const registry = driftMetrics(deps)
  measureArchive({ ...deps, archiveAfterDays: config.USAGE_ARCHIVE_AFTER_DAYS }, registry)
  return registry
}

function createDeps(foundation: Foundation) {
  const { pools, settings, now, internalKeys, connectRedis } = foundation
  const apiKey = createServiceClient({
    caller: 'audit',
    audience: 'api-key',
    baseUrl: config.API_KEY_URL,
    keys: internalKeys,
    timeoutMs: API_KEY_TIMEOUT_MS,
  })
  return {
    db: connectDatabase<Tables>(pools.requests),
    jobsDb: connectDatabase<Tables>(pools.jobs),
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
    limiter: createLimiter(connectRedis({ commandTimeoutMs: REDIS_TIMEOUT_MS, autoPipelining: true })),
    ownsKey: createKeyOwner(apiKey),
    store: config.LAKE_URL === '' ? undefined : openStore(config),
    signer: createSigner(config.EVIDENCE_KEYS),
    vault: createSecretVault(config.WEBHOOK_KEYS),
    trailReceiver:
      config.TRAIL_STREAM_URL === '' ? undefined : { url: config.TRAIL_STREAM_URL, secret: config.TRAIL_STREAM_SECRET },
    addresses: { allowsLoopback: config.WEBHOOKS_TO_LOOPBACK },
    readSubscription: readSubscriptionsFrom(foundation),
  } satisfies Deps & WebhookDeps & ForecastDeps & BackgroundDeps & { trailReceiver: TrailReceiver | undefined }
}

/** Its connections are its own: deliveries in progress must not delay calls. */
function startWebhooks(deps: WebhookDeps, { logger, signals, onStop }: Foundation): void {
  const pool = openPool('audit-webhooks', logger)
  onStop('webhook database', () => pool.end())
  const poster = createWebhookPoster({ rules: deps.addresses })
  const { redisUrl, queue } = queueOf('audit', config)
  const db = connectDatabase<Tables>(pool)
  const webhooks = startWebhookQueue({ ...deps, db, poster }, { redisUrl, name: `${queue}-webhooks`, logger, signals })
  onStop('webhooks', async () => {
    await webhooks.stop()
    poster.close()
  })
}

/** Plans and time zones of accounts, from config. */
function readSubscriptionsFrom({ internalKeys }: Foundation): ReadSubscription {
  const client = createServiceClient({
    caller: 'audit',
    audience: 'config',
    baseUrl: config.CONFIG_URL,
    keys: internalKeys,
    timeoutMs: CONFIG_TIMEOUT_MS,
  })
  return async (accountId) => {
    const record = await client.call({ path: `/internal/subscriptions/${accountId}`, answer: SubscriptionRecord })
    if (record === undefined) throw new Error('config has no subscription of the account')
    return record
  }
}

function startConsumersOf(deps: Deps, { events, signals, logger, onStop }: Foundation) {
  const pool = openPool('audit-consumer', logger)
  onStop('consumer database', () => pool.end())
  const db = connectDatabase<Tables>(pool)
  return startConsumers({ ...events, signals, deps: { ...deps, db }, outbox: connectDatabase(pool) })
}

function openPool(applicationName: string, logger: Logger) {
  return createPool({
    url: config.DATABASE_URL,
    connectionsMax: config.DATABASE_CONNECTIONS_MAX,
    applicationName,
    statementTimeoutMs: BATCH_STATEMENT_TIMEOUT_MS,
    onError: (err) => logger.warn({ err }, 'database: an idle connection was lost; it is replaced when needed'),
  })
}
