import { type ConfigDiff, type DiffConfigQuery, isKnownConfig } from '@tapeline/contracts/config/global-configs'
import { AppError } from '@tapeline/service/app-error'
import type { Kysely } from 'kysely'
import type { Deps } from '../deps.ts'
import { diffJson } from '../diff-json.ts'
import type { GlobalConfigRow, Tables } from '../tables.ts'
import { findConfig, findConfigChange } from './config-queries.ts'
import { valueOfState } from './find-conflict.ts'
import { noSuchConfig } from './show-config-history.ts'

/** What changed in a configuration from one version to another; version 0 is before anything was stored. */
export async function diffConfig(
  { db }: Pick<Deps, 'db'>,
  key: string,
  { from, to }: DiffConfigQuery,
): Promise<ConfigDiff> {
  const row = await findConfig(db, key)
  if (row === undefined && !isKnownConfig(key)) throw noSuchConfig()
  const [before, after] = [await valueAt(db, key, row, from), await valueAt(db, key, row, to)]
  return { changes: diffJson(before, after) }
}

async function valueAt(
  db: Kysely<Tables>,
  key: string,
  row: GlobalConfigRow | undefined,
  version: number,
): Promise<unknown> {
  if (version === 0) return valueOfState(key, null)
  const change = row && (await findConfigChange(db, row.id, version))
  if (change === undefined) throw new AppError('global_config.not_found', `There is no version ${version} of ${key}.`)
  return valueOfState(key, change.after)
}
