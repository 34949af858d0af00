import type { Deps } from '../deps.ts'
import { deleteExpiredFlows } from './oauth-queries.ts'

/** Job. Deletes abandoned provider sign-ins. Idempotent. */
export async function deleteOldFlows({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  return deleteExpiredFlows(db, now())
}
