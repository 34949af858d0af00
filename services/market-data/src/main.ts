import { join } from 'node:path'
import { startConsumer } from '@tapeline/events/consumer/consume'
import { startRelay } from '@tapeline/events/relay'
import { Registry } from '@tapeline/service/metrics'
import type { PlatformSettings } from '@tapeline/service/platform-settings'
import { type Foundation, startServiceProcess } from '@tapeline/service/process/start-service-process'
import { createApp } from './app.ts'
import { Config, loadConfig } from './config.ts'
import { parseAddresses, parseVenues } from './connect/parse-connect.ts'
import { createRawFrames, NO_RAW_FRAMES, type RawFrames } from './connect/run/raw-frames.ts'
import { createConfiguredFeeds } from './connect/settings/configured-feeds.ts'
import { startConnectors } from './connect/start-connectors.ts'
import { createDeps, type Deps, onPool } from './deps.ts'
import { jobs, type RetentionOptions } from './jobs.ts'
import { openStore } from '@tapeline/objects/open-store'
import { announceReaders } from './simulator/readers.ts'
import { startSimulator } from './simulator/start-simulator.ts'
import { StoredPublisher } from './stream/stored-publisher.ts'
import { StreamServer } from './stream/stream-server.ts'
import { subscriptions } from './subscriptions.ts'

const SECONDS_PER_HOUR = 3_600
const BYTES_PER_MB = 1024 * 1024

const config = loadConfig(process.env)
const [configured, addresses] = [parseVenues(config.CONNECT), parseAddresses(config.CONNECT_ADDRESSES)]
const settingsFrom = { configUrl: config.CONFIG_URL }

await startServiceProcess({ name: 'market-data', schema: Config, config, settingsFrom }, (foundation) => {
  const { pools, settings, now, events, logger } = foundation
  const deps = createDeps(pools.requests, now, config.CURSOR_SECRET, {
    settings,
    store: openStore(config),
    lakeMemoryBytes: config.LAKE_MEMORY_MB * BYTES_PER_MB,
  })
  return {
    consumers: () => startConsumers(deps, foundation),
    sources: () => startSources(deps, foundation),
    jobs() {
      return jobs(onPool(deps, pools.jobs), { retentionDays: () => retentionDaysIn(settings), lake: lakeRetention() })
    },
    server(options, roles) {
      const { kafka, topicPrefix } = events
      const readers = announceReaders(pools.requests)
      if (!roles.has('stream')) return createApp(deps, { ...options, roles, readers })
      const registry = new Registry()
      const streams = new StreamServer({ deps, kafka, topicPrefix, logger, registry, readers })
      void streams.start()
      return createApp(deps, { ...options, registry, roles, streams, readers })
    },
  }
})

function lakeRetention(): RetentionOptions['lake'] {
  if (config.LAKE_URL === '') return undefined
  return { keepDays: config.LAKE_KEEP_DAYS, monthBytesMax: config.LAKE_MONTH_MB * BYTES_PER_MB }
}

/** The simulator and the venue connectors. */
function startSources(deps: Deps, { events: { kafka, topicPrefix }, signals, logger, onStop }: Foundation): void {
  const historySeconds = config.SIMULATOR_HISTORY_HOURS * SECONDS_PER_HOUR
  const simulator = startSimulator(deps, {
    kafka,
    topicPrefix,
    seed: config.SIMULATOR_SEED,
    historySeconds,
    logger,
    signals,
  })
  onStop('simulator', () => simulator.stop())
  const raw = (feed: string) => rawFramesOf(feed, logger)
  const connectors = startConnectors(deps, createConfiguredFeeds(deps, configured, addresses), {
    kafka,
    topicPrefix,
    logger,
    raw,
    signals,
  })
  onStop('venue connectors', () => connectors.stop())
}

function rawFramesOf(feed: string, logger: Foundation['logger']): RawFrames {
  if (config.RAW_MAX_MB === 0) return NO_RAW_FRAMES
  return createRawFrames({ dir: join(config.RAW_DIR, feed), maxBytes: config.RAW_MAX_MB * BYTES_PER_MB, logger })
}

function startConsumers(deps: Deps, { events, signals, logger }: Foundation) {
  const { kafka, topicPrefix } = events
  // No event of this service changes what gateways compile: there are no versions.
  const relay = startRelay({ ...events, signals, db: deps.db, raiseVersion: async () => true })
  const publisher = new StoredPublisher({ kafka, topicPrefix, pool: deps.pool, logger })
  const { progress, stop } = startConsumer({
    ...events,
    db: deps.db,
    group: 'market-data',
    subscriptions: subscriptions(deps, publisher.note),
    onCommitted: publisher.publish,
  })
  return {
    isStuck: () => progress.isStuck(),
    stop: () => Promise.all([stop().finally(() => publisher.stop()), relay.stop()]),
  }
}

function retentionDaysIn(settings: PlatformSettings): number {
  const stored = settings.storedValueOf('system_config.retention')
  return stored?.simulated_record_days ?? config.SIMULATOR_RETENTION_DAYS
}
