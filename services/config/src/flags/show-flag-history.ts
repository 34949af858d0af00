import type { FlagHistory } from '@tapeline/contracts/config/flags'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { findFlagRow, listFlagChanges } from './flag-queries.ts'
import { presentAdminFlag } from './present-flag.ts'

/** Changes of a flag, newest first. @throws AppError flag.not_found */
export async function showFlagHistory({ db }: Pick<Deps, 'db'>, id: string): Promise<FlagHistory> {
  const row = await findFlagRow(db, id)
  if (row === undefined) throw new AppError('flag.not_found', 'There is no such feature flag.')
  const changes = await listFlagChanges(db, id)
  return {
    flag: presentAdminFlag(row),
    changes: changes.map(({ flag_id: _flag, changed_at, ...change }) => ({
      ...change,
      changed_at: changed_at.toISOString(),
    })),
  }
}
