import type { UserActor } from '@tapeline/contracts/actor'
import { AppError, type FieldError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import { diffJson } from '../diff-json.ts'
import type { FeatureFlagRow, Tables } from '../tables.ts'
import { findFlagChange, lockFlag } from './flag-queries.ts'
import { presentState } from './present-flag.ts'
import { requireRoleOfFlag } from './require-role-of-flag.ts'

/**
 * Locks a flag for a change.
 * @throws AppError when the flag does not exist, its role is above the actor's, or its version has changed
 */
export async function lockFlagToChange(
  trx: Transaction<Tables>,
  actor: UserActor,
  id: string,
  baseVersion: number | undefined,
): Promise<FeatureFlagRow> {
  const row = await lockFlag(trx, id)
  if (row === undefined) throw new AppError('flag.not_found', 'There is no such feature flag.')
  requireRoleOfFlag(actor, row.role)
  if (baseVersion === undefined || baseVersion === row.version) return row
  const base = await findFlagChange(trx, id, baseVersion)
  const message = `This flag was changed in the meantime: its version is ${row.version}, not ${baseVersion}.`
  const errors: FieldError[] = [{ field: '/version', message }]
  for (const { path, after } of base === undefined ? [] : diffJson(base.after, presentState(row))) {
    errors.push({ field: path, message: `${path.slice(1)} is now ${JSON.stringify(after)}` })
  }
  throw new AppError('flag.changed_meanwhile', message, { errors })
}
