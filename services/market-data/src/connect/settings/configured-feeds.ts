import type { Deps } from '../../deps.ts'
import type { Addresses } from '../parse-connect.ts'
import { planFeeds } from '../parse-connect.ts'
import type { FeedPlan } from '../start-venue.ts'
import { allSymbols } from './list-venues.ts'
import { listVenueRows, saveConfiguredSymbols } from './venue-queries.ts'

export type ConfiguredFeeds = () => Promise<FeedPlan[]>

/** Reads which feeds to connect now: symbols of CONNECT and those added by administrators, without paused venues. */
export function createConfiguredFeeds(
  { db }: Pick<Deps, 'db'>,
  configured: ReadonlyMap<string, readonly string[]>,
  addresses: Addresses,
): ConfiguredFeeds {
  let isSaved = false
  return async () => {
    if (!isSaved) await db.transaction().execute((trx) => saveConfiguredSymbols(trx, configured))
    isSaved = true
    const rows = await listVenueRows(db)
    const active = rows.filter(({ is_paused }) => !is_paused)
    return planFeeds(new Map(active.map((row) => [row.name, allSymbols(row)])), addresses)
  }
}
