import type { UserActor } from '@tapeline/contracts/actor'
import {
  API_KEY_SCOPES,
  type CreatedKey,
  type KeyAnswer,
  type PutKey,
  type UpdateKey,
} from '@tapeline/contracts/api-key/http'
import { AppError } from '@tapeline/service/app-error'
import { presentNewKey } from '../keys/create-key.ts'
import type { KeyDeps } from '../deps.ts'
import { findKeyByExternalId, lockKeysOfUser } from '../keys/key-queries.ts'
import { addKey } from '../keys/new-key.ts'
import type { ApiKeyRow } from '../tables.ts'
import { updateKey } from '../keys/update-key.ts'

type RequestedKey = { externalId: string; input: PutKey }
type PutResult = { created: CreatedKey } | { saved: KeyAnswer }

/**
 * Brings the key with this external id to the desired state: creates it, or changes the fields that differ. Idempotent; concurrent
 * calls create one key.
 * @throws AppError when the key is revoked, its kind or environment differs, or a field is invalid
 */
export async function putKey(deps: KeyDeps, actor: UserActor, { externalId, input }: RequestedKey): Promise<PutResult> {
  const { kind = 'data' } = input
  const found = await deps.db.transaction().execute(async (trx) => {
    await lockKeysOfUser(trx, actor.userId)
    const key = await findKeyByExternalId(trx, actor, { kind, externalId, now: deps.now() })
    return key === undefined
      ? { created: await addKey(deps, trx, actor, { ...input, external_id: externalId }) }
      : { key }
  })
  if ('created' in found) return { created: await presentNewKey(deps, found.created) }
  checkEnvironment(found.key, input)
  return { saved: await updateKey(deps, actor, found.key.id, requestedFields(input)) }
}

/** Every field of an update: those that are absent from the input have their default. */
function requestedFields({ kind, environment: _environment, ...input }: PutKey): UpdateKey {
  return {
    description: null,
    expires_at: null,
    ...(kind === 'service' ? {} : { scopes: [...API_KEY_SCOPES] }),
    networks: [],
    rate_limits: null,
    tags: [],
    owner_note: null,
    is_active: true,
    ...input,
  }
}

function checkEnvironment({ environment }: ApiKeyRow, input: PutKey): void {
  if (environment === (input.environment ?? 'live')) return
  const message = `This key is a ${environment} key: the environment of a key cannot change.`
  throw new AppError('request.invalid', message, { errors: [{ field: '/environment', message, rule: 'immutable' }] })
}
