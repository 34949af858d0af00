import type { TierHistory, TierHistoryQuery } from '@tapeline/contracts/config/plans'
import type { Deps } from '../deps.ts'
import { diffTiers } from './diff-tiers.ts'
import { listTierDocuments } from './tier-queries.ts'

const LIMIT_DEFAULT = 20

/** Versions of the tier documents, newest first, each with its changes. */
export async function listTierHistory(
  { db }: Pick<Deps, 'db'>,
  { before, limit = LIMIT_DEFAULT }: TierHistoryQuery,
): Promise<TierHistory> {
  const rows = await listTierDocuments(db, { before, limit: limit + 1 })
  return {
    editions: rows.slice(0, limit).map((row, n) => ({
      version: row.version,
      written_by: row.written_by,
      written_at: row.created_at.toISOString(),
      reason: row.reason,
      changes: diffTiers(rows[n + 1], row),
    })),
  }
}
