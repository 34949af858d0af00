import type { Deps } from '../deps.ts'
import { deleteExpiredExports } from './export-queries.ts'

/** Job. Deletes expired files, and failed exports of the same age. Idempotent. */
export function deleteOldExports({ db, now, exports }: Pick<Deps, 'db' | 'now' | 'exports'>): Promise<number> {
  return deleteExpiredExports(db, { expired: now(), failed: new Date(now().getTime() - exports.lifeMs) })
}
