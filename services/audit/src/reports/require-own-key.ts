import type { UserActor } from '@tapeline/contracts/actor'
import { SESSION_KEY_ID } from '@tapeline/contracts/usage/events'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { isUuid } from '../is-uuid.ts'
import { hasUsageOfKey } from './report-queries.ts'

/**
 * Throws unless the key is the actor's: it was used by the account (a deleted key as well), or api-key knows it.
 * While api-key is away zeros are answered: they say the same of a key of one's own and of anybody else's.
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
