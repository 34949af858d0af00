import type { UserActor } from '@tapeline/contracts/actor'
import { SESSION_KEY_ID } from '@tapeline/contracts/usage/events'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { isUuid } from '../is-uuid.ts'
import { hasUsageOfKey } from './report-queries.ts'

/**
 * Checks that the key belongs to the actor: the account used it (even if deleted since), or api-key confirms it.
 * While api-key is unavailable the check passes, and the report contains zeros for any key.
 * @throws AppError when the key does not exist or belongs to another account
 */
export async function requireOwnKey(
  deps: Pick<Deps, 'db' | 'ownsKey'>,
  actor: UserActor,
  keyId: string,
): Promise<void> {
  if (keyId === SESSION_KEY_ID) return
  const isOwn =
    isUuid(keyId) &&
    ((await hasUsageOfKey(deps.db, actor.userId, keyId)) || (await deps.ownsKey(actor, keyId)) !== false)
  if (!isOwn) throw new AppError('api_key.not_found', 'There is no such API key.')
}
