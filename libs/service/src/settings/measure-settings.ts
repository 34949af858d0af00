import { Gauge, type Registry } from '@prometheus-io/client'
import type { PlatformSettings } from '../platform-settings.ts'

/** Exports the snapshot version of this process; all processes should report the same within a second. */
export function measureSettings(settings: PlatformSettings, registry: Registry): void {
  addGauge(registry, 'platform_settings_version', 'Version of flags and global configurations; 0: none.', () => {
    return settings.report().version
  })
  addGauge(
    registry,
    'platform_settings_refused',
    'Snapshots and values that were not valid and changed nothing.',
    () => {
      return settings.report().refused
    },
  )
}

function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) })
}
