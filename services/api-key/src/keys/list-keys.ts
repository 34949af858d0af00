import { KEY_KINDS, type KeyList, type ListKeysQuery } from '@tapeline/contracts/api-key/http'
import type { Deps } from '../deps.ts'
import { listKeysOfUser, type Viewer } from './key-queries.ts'
import { KEYS_LISTED_MAX } from './keys-per-tier.ts'
import { presentKey } from './present-key.ts'
import type { ApiKeyRow } from '../tables.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Keys of one kind, or of all kinds for identity's account export, as their owner sees them. */
export async function listKeys(
  deps: Pick<Deps, 'db' | 'now'>,
  viewer: Viewer,
  { kind, ...filter }: ListKeysQuery = {},
): Promise<KeyList> {
  const now = deps.now()
  const rows = await listKeysOfUser(deps.db, viewer, { kind, now, limit: KEYS_LISTED_MAX * KEY_KINDS.length })
  return { apiKeys: rows.filter((row) => isSelected(row, filter, now)).map((row) => presentKey(row, now)) }
}

function isSelected(row: ApiKeyRow, filter: Omit<ListKeysQuery, 'kind'>, now: Date): boolean {
  const { tag, external_id: externalId, unused_days: unusedDays } = filter
  if (tag !== undefined && !row.tags.includes(tag)) return false
  if (externalId !== undefined && row.external_id !== externalId) return false
  if (unusedDays === undefined) return true
  return (row.last_used_at ?? row.created_at).getTime() <= now.getTime() - unusedDays * DAY_MS
}
