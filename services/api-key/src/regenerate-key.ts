import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyRegenerated } from '@tapeline/contracts/api-key/events'
import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from './deps.ts'
import { insertSecret, lockKey, markKeyRegenerated, markSecretEnded } from './key-queries.ts'
import { keyVersionChange } from './key-version-change.ts'
import { noSuchKey } from './no-such-key.ts'
import { presentKey } from './present-key.ts'
import { newSecret } from './secret.ts'
import type { ApiKeyRow, Tables } from './tables.ts'
import { tellGateways } from './tell-gateways.ts'

/** A new secret under the same key: its id, name, expiry and history stay, the old secret dies at once. */
export async function regenerateKey(deps: Deps, actor: UserActor, keyId: string): Promise<CreatedKey> {
  const now = deps.now()
  const { userId } = actor
  const { apiKey, key, replacedKid } = await deps.db.transaction().execute(async (trx) => {
    const old = await lockLivingKey(trx, userId, keyId)
    const { apiKey, kid, secretSha256 } = newSecret(old.environment)
    const version = old.version + 1
    await markSecretEnded(trx, old.kid, now)
    await insertSecret(trx, { kid, key_id: keyId, secret_sha256: secretSha256, created_at: now, ends_at: null })
    await markKeyRegenerated(trx, userId, keyId)
    const data = { key_id: keyId, kid, replaced_kid: old.kid, account_id: userId, name: old.name, version }
    const event = newEvent(apiKeyRegenerated, {
      id: deps.newId(),
      time: now,
      subject: keyId,
      account: userId,
      actor,
      data,
    })
    // No gateway can hold the new kid yet: the old one is what they must hear of.
    await recordEvent(trx, event, keyVersionChange({ userId, kid: old.kid, version }))
    return { apiKey, key: { ...old, kid, version }, replacedKid: old.kid }
  })
  const effective = await tellGateways(deps, { userId, kid: replacedKid, version: key.version })
  return { apiKey, name: key.name, key: presentKey(key, now), ...effective }
}

async function lockLivingKey(trx: Transaction<Tables>, userId: string, keyId: string): Promise<ApiKeyRow> {
  const key = await lockKey(trx, userId, keyId)
  if (key === undefined) throw noSuchKey()
  if (key.state === 'revoked') {
    throw new AppError('api_key.already_revoked', 'This API key is revoked: create a new one instead.')
  }
  return key
}
