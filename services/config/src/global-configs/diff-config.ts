import { type ConfigDiff, type DiffConfigQuery, isPlatformConfig } from '@tapeline/contracts/config/global-configs'
import { TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import { AppError } from '@tapeline/service/app-error'
import type { Kysely } from 'kysely'
import type { Deps } from '../deps.ts'
import { diffJson } from '../diff-json.ts'
import type { GlobalConfigRow, Tables } from '../tables.ts'
import { findTierDocument } from '../tiers/tier-queries.ts'
import { findConfig, findConfigChange } from './config-queries.ts'
import { valueOfState } from './find-conflict.ts'
import { noSuchConfig } from './show-config-history.ts'

/** Differences of a configuration between two versions; version 0 is before the first change. */
export async function diffConfig(
  { db }: Pick<Deps, 'db'>,
  key: string,
  { from, to }: DiffConfigQuery,
): Promise<ConfigDiff> {
  const valueAt = key === TIERS_KEY ? tiersAt(db) : valuesOf(db, key, await findConfig(db, key))
  return { changes: diffJson(await valueAt(from), await valueAt(to)) }
}

function valuesOf(db: Kysely<Tables>, key: string, row: GlobalConfigRow | undefined) {
  if (row === undefined && !isPlatformConfig(key)) throw noSuchConfig()
  return async (version: number): Promise<unknown> => {
    if (version === 0) return valueOfState(key, null)
    const change = row && (await findConfigChange(db, row.id, version))
    if (change === undefined) throw noSuchVersion(key, version)
    return valueOfState(key, change.after)
  }
}

/** The tier documents have their own version history. */
function tiersAt(db: Kysely<Tables>) {
  return async (version: number): Promise<unknown> => {
    if (version === 0) return undefined
    const edition = await findTierDocument(db, version)
    if (edition === undefined) throw noSuchVersion(TIERS_KEY, version)
    return edition.config
  }
}

function noSuchVersion(key: string, version: number): AppError {
  return new AppError('global_config.not_found', `There is no version ${version} of ${key}.`)
}
