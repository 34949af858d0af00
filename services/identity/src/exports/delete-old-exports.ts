import type { Deps } from '../deps.ts'
import { deleteExportsOver } from './export-queries.ts'

/** Job. Deletes expired files, and failed exports of the same age. Idempotent. */
export function deleteOldExports({ db, now, exports }: Pick<Deps, 'db' | 'now' | 'exports'>): Promise<number> {
  return deleteExportsOver(db, { expired: now(), failed: new Date(now().getTime() - exports.lifeMs) })
}
