import type { UserActor } from '@tapeline/contracts/actor'
import { flagChanged } from '@tapeline/contracts/config/events'
import type { FlagState } from '@tapeline/contracts/config/flags'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../deps.ts'
import type { FeatureFlagRow, Tables } from '../tables.ts'
import { countActiveFlags, FLAGS_MAX, insertFlag, insertFlagChange, updateFlagRow } from './flag-queries.ts'
import { presentState, rowOfState } from './present-flag.ts'

type Saving = { row: FeatureFlagRow | undefined; after: FlagState; reason: string | undefined; platformVersion: number }

/**
 * Stores a flag's next state with its history and event; an unchanged state is not a change. `nextPlatformVersion` must
 * have been called in the transaction, so that no other flag is saved at the same time.
 * @throws AppError when the schedule is invalid, or the flag would exceed the maximum number of active flags
 */
export async function saveFlag(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  actor: UserActor,
  { row, after, reason = '', platformVersion }: Saving,
): Promise<FeatureFlagRow> {
  const before = row === undefined ? null : presentState(row)
  if (row !== undefined && isDeepStrictEqual(before, after)) return row
  checkSchedule(after)
  await requirePlace(trx, row, after)
  const now = deps.now()
  const next =
    row === undefined
      ? { id: deps.newId(), version: 1, created_at: now }
      : { id: row.id, version: row.version + 1, created_at: row.created_at }
  const saved = { ...rowOfState(after, now), ...next, updated_at: now }
  await (row === undefined ? insertFlag(trx, saved) : updateFlagRow(trx, saved))
  const storedReason = reason.trim() === '' ? null : reason
  await insertFlagChange(trx, {
    flag_id: saved.id,
    version: saved.version,
    before: before && JSON.stringify(before),
    after: JSON.stringify(after),
    changed_by: actor.userId,
    changed_at: now,
    reason: storedReason,
  })
  const about = { id: deps.newId(), time: now, subject: saved.id, account: null, actor }
  const data = {
    flag_id: saved.id,
    flag_version: saved.version,
    before,
    after,
    reason: storedReason,
    version: platformVersion,
  }
  await recordEvent(trx, newEvent(flagChanged, { ...about, data }))
  return saved
}

async function requirePlace(
  trx: Transaction<Tables>,
  row: FeatureFlagRow | undefined,
  after: FlagState,
): Promise<void> {
  if (!after.is_active || row?.is_active === true) return
  if ((await countActiveFlags(trx)) < FLAGS_MAX) return
  throw new AppError('flag.too_many', `The maximum of ${FLAGS_MAX} flags is reached. Delete one first.`)
}

function checkSchedule({ enabled_from, enabled_until }: FlagState): void {
  if (enabled_from === null || enabled_until === null || Date.parse(enabled_from) < Date.parse(enabled_until)) return
  const message = 'enabled_until must be after enabled_from.'
  throw new AppError('flag.invalid', message, { errors: [{ field: '/enabled_until', message }] })
}
