import { type ConfigHistory, isKnownConfig } from '@tapeline/contracts/config/global-configs'
import { TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { diffJson } from '../diff-json.ts'
import { findConfig, listConfigChanges } from './config-queries.ts'
import { valueOfState } from './find-conflict.ts'
import { showTierConfigHistory } from './show-tier-config-history.ts'

/** Changes of a configuration, newest first, each with its differences. */
export async function showConfigHistory({ db }: Pick<Deps, 'db'>, key: string): Promise<ConfigHistory> {
  if (key === TIERS_KEY) return showTierConfigHistory({ db })
  const row = await findConfig(db, key)
  if (row === undefined && !isKnownConfig(key)) throw noSuchConfig()
  const changes = row === undefined ? [] : await listConfigChanges(db, row.id)
  return {
    changes: changes.map(({ config_id: _config, changed_at, ...change }) => ({
      ...change,
      changes: diffJson(valueOfState(key, change.before), valueOfState(key, change.after)),
      changed_at: changed_at.toISOString(),
    })),
  }
}

export function noSuchConfig(): AppError {
  return new AppError('global_config.not_found', 'There is no such configuration.')
}
