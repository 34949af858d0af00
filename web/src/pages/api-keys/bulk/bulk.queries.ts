import type { BulkAnswer, BulkChange, BulkKey } from '@tapeline/contracts/api-key/bulk'
import { api } from '../../../platform.ts'
import { queryClient } from '../../../queries.ts'
import { keysQuery } from '../api-keys.queries.ts'
import { updateKey } from '../send-key-changes.ts'

const BULK = '/api/v1/internal/api-keys/bulk'

/** Without `preview` in the body nothing is changed. */
export async function changeKeys(body: BulkChange): Promise<BulkAnswer> {
  const answer = await api.data<BulkAnswer>({ method: 'POST', path: BULK, body })
  if (!answer.is_preview) await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })
  return answer
}

/** Undoes what can be undone; answers how many keys were changed back. */
export async function undoChange(keys: readonly BulkKey[]): Promise<number> {
  let undone = 0
  for (const { key, undo } of keys) {
    if (undo === undefined) continue
    await updateKey(key.id, undo)
    undone += 1
  }
  return undone
}
