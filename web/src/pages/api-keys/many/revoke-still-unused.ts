import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { queryClient } from '../../../queries.ts'
import { keysQuery } from '../api-keys.queries.ts'
import { revokeKey } from '../send-key-changes.ts'

/** Revokes those of the keys that were not used since they were listed; a failure stops at the first key. */
export async function revokeStillUnused(keys: readonly ApiKey[]): Promise<{ revoked: number; used: number }> {
  const now = await queryClient.fetchQuery({ ...keysQuery, staleTime: 0 })
  const still = keys.filter(({ id, last_used_at: used }) => now.find((key) => key.id === id)?.last_used_at === used)
  for (const { id } of still) await revokeKey(id)
  return { revoked: still.length, used: keys.length - still.length }
}
