import { STATUS_DAYS } from '@tapeline/contracts/audit/status'
import type { Deps } from '../deps.ts'
import { LEVEL_MS } from '../rollups/roll-up.ts'
import { deleteStatusBefore } from './status-queries.ts'

/** Drops data that the status page no longer shows. */
export async function pruneStatus({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deleteStatusBefore(db, new Date(now().getTime() - (STATUS_DAYS + 1) * LEVEL_MS.day))
}
