import { join } from 'node:path'
import type { ServiceName } from '@tapeline/contracts/actor'
import { flagChanged, globalConfigChanged, tiersChanged } from '@tapeline/contracts/config/events'
import { PlatformSnapshot } from '@tapeline/contracts/config/platform-settings'
import type { Event, EventDefinition } from '@tapeline/contracts/event'
import { Type } from 'typebox'
import { createServiceClient } from '../calls/call-service.ts'
import type { InternalKeys } from '../internal-keys.ts'
import type { Logger } from '../logger.ts'
import { PlatformSettings } from '../platform-settings.ts'
import { cachedVersionQuery, SnapshotCache, type Versioned } from './snapshot-cache.ts'

type SettingsOptions = {
  name: ServiceName
  fetchSnapshot: (cached: Versioned | undefined) => Promise<unknown>
  snapshotDir: string
  logger: Logger
  now: () => Date
}
export type SettingsCache = {
  settings: PlatformSettings
  start: () => Promise<void>
  stop: () => void
  /** Loads the settings again, after events may have been missed. */
  reload: () => Promise<void>
  /** Events that invalidate this process's settings, for its broadcast consumer. */
  handlers: { definition: EventDefinition; handle: (event: Event<unknown>) => void }[]
}

const TIMEOUT_MS = 2_000

/** Keeps this process's copy of the settings: loaded from config, refreshed by its events, stored on disk. */
export function cacheSettings({ name, fetchSnapshot, snapshotDir, logger, now }: SettingsOptions): SettingsCache {
  const cache = new SnapshotCache({
    name: 'flags and global configurations',
    schema: PlatformSnapshot,
    file: join(snapshotDir, `${name}-platform-settings.json`),
    fetchSnapshot,
    logger,
  })
  // Handlers are called only with data that was validated against the definition.
  const handle = (event: Event<unknown>) => cache.invalidate((event.data as { version: number }).version)
  const invalidateOnTiersChange = (event: Event<unknown>) => {
    const { platform_version: version } = event.data as { platform_version?: number }
    if (version !== undefined) cache.invalidate(version)
  }
  return {
    settings: new PlatformSettings(cache, () => now().getTime()),
    start: () => cache.start(),
    stop: () => cache.stop(),
    reload: () => cache.reload(),
    handlers: [
      ...[flagChanged, globalConfigChanged].map((definition) => ({ definition, handle })),
      { definition: tiersChanged, handle: invalidateOnTiersChange },
    ],
  }
}

type ConnectOptions = Omit<SettingsOptions, 'fetchSnapshot'> & { configUrl: string; keys: InternalKeys }

/** `cacheSettings` for every service except config: loads the settings from config. */
export function connectSettings({ configUrl: baseUrl, keys, ...options }: ConnectOptions): SettingsCache {
  const caller = options.name
  const client = createServiceClient({ caller, audience: 'config', baseUrl, keys, timeoutMs: TIMEOUT_MS })
  const path = '/internal/platform-settings'
  return cacheSettings({
    ...options,
    fetchSnapshot: (cached) => client.call({ path: `${path}${cachedVersionQuery(cached)}`, answer: Type.Unknown() }),
  })
}
