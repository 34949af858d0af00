import { type PlatformSnapshot, TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import { isCurrent, type Versioned } from '@tapeline/service/settings/snapshot-cache'
import type { Kysely } from 'kysely'
import type { Deps } from './deps.ts'
import { listActiveFlags } from './flags/flag-queries.ts'
import { presentRule } from './flags/present-flag.ts'
import { listConfigs } from './global-configs/config-queries.ts'
import { findPlatformVersion } from './platform-version-queries.ts'
import type { Tables } from './tables.ts'
import { findNewestTierDocument } from './tiers/tier-queries.ts'

/**
 * Flags, stored configurations and tier documents, read consistently, with their version; undefined when the client
 * has that version.
 */
export async function readPlatformSnapshot(
  { db }: Pick<Deps, 'db'>,
  cached?: Versioned,
): Promise<PlatformSnapshot | undefined> {
  if (cached !== undefined && isCurrent(cached, await findPlatformVersion(db))) return undefined
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => readWhole(trx))
}

async function readWhole(db: Kysely<Tables>): Promise<PlatformSnapshot> {
  const version = await findPlatformVersion(db)
  const flags = await listActiveFlags(db)
  const configs = (await listConfigs(db)).flatMap(({ key, state }) => (state === null ? [] : [[key, state] as const]))
  const newest = await findNewestTierDocument(db)
  const tiers = newest === undefined ? {} : { [TIERS_KEY]: { value: newest.config, is_public: false } }
  return { ...version, flags: flags.map(presentRule), configs: { ...Object.fromEntries(configs), ...tiers } }
}
