import type { AdminFlag, ListFlagsQuery } from '@tapeline/contracts/config/flags'
import type { Deps } from '../deps.ts'
import { listActiveFlags, listAllFlags } from './flag-queries.ts'
import { presentAdminFlag } from './present-flag.ts'

/** All flags, optionally including removed ones. */
export async function listAdminFlags({ db }: Pick<Deps, 'db'>, { removed }: ListFlagsQuery): Promise<AdminFlag[]> {
  const rows = removed === true ? await listAllFlags(db) : await listActiveFlags(db)
  return rows.map(presentAdminFlag)
}
