import type { Pricing } from '@tapeline/contracts/config/http'
import type { Deps } from '../deps.ts'
import { readTiers } from './read-tiers.ts'

/** Prices and contents of all tiers. Falls back to the snapshot when the database is unavailable. */
export async function showPricing(deps: Pick<Deps, 'db' | 'settings'>): Promise<Pricing> {
  try {
    return (await readTiers(deps)).tiers
  } catch (error) {
    const cached = deps.settings.tiers()
    if (cached === undefined) throw error
    return cached
  }
}
