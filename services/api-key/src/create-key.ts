import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import { API_KEY_SCOPES, type CreatedKey, type CreateKey } from '@tapeline/contracts/api-key/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Deps } from './deps.ts'
import { countKeys, insertKey, insertSecret, lockKeysOfUser } from './key-queries.ts'
import { keyVersionChange } from './key-version-change.ts'
import { checkKeyCount } from './keys-per-tier.ts'
import { presentKey } from './present-key.ts'
import { readExpiry } from './read-expiry.ts'
import { readDescription, readName } from './read-text.ts'
import { newSecret } from './secret.ts'
import type { ApiKeyRow } from './tables.ts'
import { tellGateways } from './tell-gateways.ts'

/** The only answer that ever holds the whole key, with that of a regeneration. */
export async function createKey(deps: Deps, actor: UserActor, input: CreateKey): Promise<CreatedKey> {
  const now = deps.now()
  const { apiKey, kid, secretSha256 } = newSecret('live')
  const key = {
    id: deps.newId(),
    user_id: actor.userId,
    name: readName(input.name),
    description: readDescription(input.description),
    environment: 'live',
    scopes: [...API_KEY_SCOPES],
    networks: [],
    rate_limits: null,
    state: 'active',
    version: 1,
    expires_at: readExpiry(input.expires_at, now),
    created_at: now,
    revoked_at: null,
    deleted_at: null,
  } satisfies Omit<ApiKeyRow, 'kid'>
  const change = { userId: actor.userId, kid, version: key.version }
  await deps.db.transaction().execute(async (trx) => {
    await lockKeysOfUser(trx, actor.userId)
    checkKeyCount(actor.tier, await countKeys(trx, actor.userId))
    await insertKey(trx, key)
    await insertSecret(trx, { kid, key_id: key.id, secret_sha256: secretSha256, created_at: now, ends_at: null })
    const data = { key_id: key.id, kid, account_id: actor.userId, name: key.name, version: key.version }
    const event = newEvent(apiKeyCreated, {
      id: deps.newId(),
      time: now,
      subject: key.id,
      account: actor.userId,
      actor,
      data,
    })
    await recordEvent(trx, event, keyVersionChange(change))
  })
  const effective = await tellGateways(deps, change)
  return { apiKey, name: key.name, key: presentKey({ ...key, kid }, now), ...effective }
}
