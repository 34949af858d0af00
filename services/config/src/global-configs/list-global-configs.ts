import { type GlobalConfigs, PLATFORM_CONFIGS } from '@tapeline/contracts/config/global-configs'
import { TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import type { Deps } from '../deps.ts'
import { listConfigs } from './config-queries.ts'
import { presentEdition } from '../tiers/present-edition.ts'
import { findNewestTierDocument } from '../tiers/tier-queries.ts'
import { presentConfig } from './present-config.ts'
import { presentTierConfig } from './present-tier-config.ts'

/** Stored configurations and the defaults of the others, by key. */
export async function listGlobalConfigs({ db }: Pick<Deps, 'db'>): Promise<GlobalConfigs> {
  const rows = new Map((await listConfigs(db)).map((row) => [row.key, row]))
  const stored = [...rows.values()].filter(({ state }) => state !== null).map(({ key }) => key)
  const keys = [...new Set([...Object.keys(PLATFORM_CONFIGS), ...stored])].toSorted()
  const tiers = await findNewestTierDocument(db)
  return {
    ...Object.fromEntries(keys.map((key) => [key, presentConfig(key, rows.get(key))])),
    ...(tiers === undefined ? {} : { [TIERS_KEY]: presentTierConfig(presentEdition(tiers)) }),
  }
}
