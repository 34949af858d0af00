import type { Deps } from '../deps.ts'
import { deleteExportsOver } from './export-queries.ts'

/** Job. Files whose time is over, and those that could not be built as long ago. Safe to run twice. */
export function deleteOldExports({ db, now, exports }: Pick<Deps, 'db' | 'now' | 'exports'>): Promise<number> {
  return deleteExportsOver(db, { expired: now(), failed: new Date(now().getTime() - exports.lifeMs) })
}
