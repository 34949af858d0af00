import { join } from 'node:path'
import type { ServiceName } from '@tapeline/contracts/actor'
import { flagChanged, globalConfigChanged } from '@tapeline/contracts/config/events'
import { PlatformSnapshot } from '@tapeline/contracts/config/platform-settings'
import type { Event, EventDefinition } from '@tapeline/contracts/event'
import { createServiceClient } from './call-service.ts'
import type { InternalKeys } from './internal-keys.ts'
import type { Logger } from './logger.ts'
import { PlatformSettings } from './platform-settings.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'

export type SettingsOptions = {
  caller: ServiceName
  configUrl: string
  keys: InternalKeys
  snapshotDir: string
  logger: Logger
  now: () => Date
}
export type ConnectedSettings = {
  settings: PlatformSettings
  start: () => Promise<void>
  stop: () => void
  /** What makes the settings of this process old; whoever has Kafka hears them. */
  listeners: { definition: EventDefinition; hear: (event: Event<unknown>) => void }[]
}

const TIMEOUT_MS = 2_000

/** This process's copy of what admins have set: asked of config, heard of on its topic, kept on disk. */
export function connectSettings(options: SettingsOptions): ConnectedSettings {
  const { caller, configUrl: baseUrl, keys, snapshotDir, logger, now } = options
  const client = createServiceClient({ caller, audience: 'config', baseUrl, keys, timeoutMs: TIMEOUT_MS })
  const keeper = new SnapshotKeeper({
    name: 'flags and global configurations',
    schema: PlatformSnapshot,
    file: join(snapshotDir, `${caller}-platform-settings.json`),
    ask: (known) =>
      client.call({
        path: `/internal/platform-settings${known === undefined ? '' : `?known=${known}`}`,
        answer: PlatformSnapshot,
      }),
    logger,
  })
  // The listener is called only with data that was checked against the definition.
  const hear = (event: Event<unknown>) => keeper.hear((event.data as { version: number }).version)
  return {
    settings: new PlatformSettings(keeper, () => now().getTime()),
    start: () => keeper.start(),
    stop: () => keeper.stop(),
    listeners: [flagChanged, globalConfigChanged].map((definition) => ({ definition, hear })),
  }
}
