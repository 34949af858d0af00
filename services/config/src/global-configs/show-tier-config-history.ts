import type { ConfigHistory } from '@tapeline/contracts/config/global-configs'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import type { Deps } from '../deps.ts'
import { diffJson } from '../diff-json.ts'
import { listTierDocuments } from '../tiers/tier-queries.ts'

/** Each entry contains two documents of some kilobytes; older ones are in the tiers' own history. */
const EDITIONS_MAX = 20

/** Versions of the tier documents as changes of a configuration, newest first. */
export async function showTierConfigHistory({ db }: Pick<Deps, 'db'>): Promise<ConfigHistory> {
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
