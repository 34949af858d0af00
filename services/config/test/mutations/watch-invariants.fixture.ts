import { checkTiers } from '@tapeline/contracts/config/check-tiers'
import { isPlatformConfig, PLATFORM_CONFIGS } from '@tapeline/contracts/config/global-configs'
import { PlatformSnapshot } from '@tapeline/contracts/config/platform-settings'
import { PlatformSettings } from '@tapeline/service/platform-settings'
import { Value } from 'typebox/value'
import type { Deps } from '../../src/deps.ts'
import { readPlatformSnapshot } from '../../src/read-platform-snapshot.ts'
import { readTiers } from '../../src/tiers/read-tiers.ts'

type SettingsState = { snapshot: PlatformSnapshot | undefined; origin: string; refused: number }
/** `version` is that of the tier documents. */
type Observed = { version: number; faults: string[] }

/** Returns a function that reads the snapshot that every process would apply now and lists its faults. */
export function watchInvariants(deps: Deps): () => Promise<Observed> {
  const state: SettingsState = { snapshot: undefined, origin: 'owner', refused: 0 }
  const settings = new PlatformSettings(state, Date.now)
  return async () => {
    const [snapshot, tiers] = [await readPlatformSnapshot(deps), await readTiers(deps)]
    state.snapshot = JSON.parse(JSON.stringify(snapshot))
    const faults = Value.Check(PlatformSnapshot, state.snapshot) ? [] : ['the snapshot is not of its shape']
    faults.push(...checkTiers(tiers.tiers).problems.map(({ field, message }) => `tiers ${field}: ${message}`))
    for (const key of Object.keys(PLATFORM_CONFIGS).filter(isPlatformConfig)) {
      if (!Value.Check(PLATFORM_CONFIGS[key].schema, settings.valueOf(key))) faults.push(`${key} is not valid`)
    }
    if (settings.report().refused > 0) faults.push('a process refuses what is stored')
    return { version: tiers.version, faults }
  }
}
