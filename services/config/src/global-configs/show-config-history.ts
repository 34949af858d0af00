import { type ConfigHistory, isPlatformConfig } from '@tapeline/contracts/config/global-configs'
import { TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { diffJson } from '../diff-json.ts'
import { findConfig, listConfigChanges } from './config-queries.ts'
import { valueOfState } from './find-conflict.ts'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { listTierDocuments } from '../tiers/tier-queries.ts'

/** Changes of a configuration, newest first, each with its differences. @throws AppError global_config.not_found */
export async function showConfigHistory({ db }: Pick<Deps, 'db'>, key: string): Promise<ConfigHistory> {
  if (key === TIERS_KEY) return showTierConfigHistory({ db })
  const row = await findConfig(db, key)
  if (row === undefined && !isPlatformConfig(key)) throw noSuchConfig()
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

/** Each entry contains two documents of some kilobytes; older ones are in the tiers' own history. */
const EDITIONS_MAX = 20

/** Versions of the tier documents as changes of a configuration, newest first. */
async function showTierConfigHistory({ db }: Pick<Deps, 'db'>): Promise<ConfigHistory> {
  const rows = await listTierDocuments(db, { before: undefined, limit: EDITIONS_MAX + 1 })
  return {
    changes: rows.slice(0, EDITIONS_MAX).map(({ version, config, written_by, created_at, reason }, n) => {
      const before = rows[n + 1]?.config
      return {
        version,
        before: stateOf(before),
        after: stateOf(config),
        changes: diffJson(before, config),
        changed_by: written_by,
        changed_at: created_at.toISOString(),
        reason,
      }
    }),
  }
}

function stateOf(tiers: TierConfig | undefined) {
  return tiers === undefined ? null : { value: tiers, is_public: false }
}
