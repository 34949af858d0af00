import type { UserActor } from '@tapeline/contracts/actor'
import type { AdminFlag, CreateFlag, FlagState } from '@tapeline/contracts/config/flags'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { nextPlatformVersion } from '../platform-version-queries.ts'
import { lockFlagOf } from './flag-queries.ts'
import { presentAdminFlag } from './present-flag.ts'
import { requireRoleOfFlag } from './require-role-of-flag.ts'
import { saveFlag } from './save-flag.ts'

/**
 * Creates a flag, or restores a removed one with the given state: key and role are unique.
 * @throws AppError when an active flag has this key and role, or the maximum number of flags is reached
 */
export async function createFlag(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { reason, ...input }: CreateFlag,
): Promise<AdminFlag> {
  const after = stateOf(input)
  requireRoleOfFlag(actor, after.role)
  return deps.db.transaction().execute(async (trx) => {
    const platformVersion = await nextPlatformVersion(trx)
    const row = await lockFlagOf(trx, after.flag_key, after.role)
    if (row?.is_active === true) {
      const message = `A flag ${after.flag_key} for the role ${after.role} already exists.`
      throw new AppError('flag.exists', message, { errors: [{ field: '/flag_key', message }] })
    }
    return presentAdminFlag(await saveFlag(deps, trx, actor, { row, after, reason, platformVersion }))
  })
}

function stateOf(input: Omit<CreateFlag, 'reason'>): FlagState {
  return {
    flag_key: input.flag_key.trim(),
    role: input.role ?? 'user',
    enabled: input.enabled ?? true,
    is_active: true,
    is_public: input.is_public ?? false,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    rollout_percent: input.rollout_percent ?? 100,
    enabled_from: inUtc(input.enabled_from),
    enabled_until: inUtc(input.enabled_until),
  }
}

/** The form in which the database returns it, so that an equal time is not a change. */
export function inUtc(time: string | null | undefined): string | null {
  return time === null || time === undefined ? null : new Date(time).toISOString()
}
