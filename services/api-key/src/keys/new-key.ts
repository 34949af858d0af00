import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import { API_KEY_SCOPES, type CreateKey } from '@tapeline/contracts/api-key/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import { checkFields } from '../fields/check-fields.ts'
import type { Deps } from '../deps.ts'
import { dueNotice } from './expiry-notices.ts'
import { aboutKey, factOf } from './key-event.ts'
import { countKeys, insertKey, insertSecret, lockKeysOfUser } from './key-queries.ts'
import { versionChanges, versionOf } from './key-version.ts'
import { checkKeyCount } from './keys-per-tier.ts'
import { readExpiry } from '../fields/read-expiry.ts'
import { readLimits, readScopes } from '../fields/read-key-fields.ts'
import { readNetworks } from '../fields/read-networks.ts'
import { readDescription, readName } from '../fields/read-text.ts'
import { newSecret } from './secret.ts'
import type { ApiKeyRow, Tables } from '../tables.ts'

export type NewKey = { apiKey: string; key: ApiKeyRow }

/** Inserts a key, its first secret and their event. */
export async function addKey(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  actor: UserActor,
  input: CreateKey,
): Promise<NewKey> {
  const now = deps.now()
  const { userId } = actor
  const { apiKey, kid, secretSha256 } = newSecret(input.environment ?? 'live')
  const row = { id: deps.newId(), user_id: userId, ...rowOf(input, now) }
  await lockKeysOfUser(trx, userId)
  checkKeyCount(actor.tier, await countKeys(trx, userId))
  await insertKey(trx, row)
  await insertSecret(trx, { kid, key_id: row.id, secret_sha256: secretSha256, created_at: now, ends_at: null })
  const key = { ...row, ...NEVER_USED, kid }
  const event = newEvent(apiKeyCreated, { ...aboutKey(deps, actor, key), data: factOf(key) })
  await recordEvent(trx, event, ...versionChanges(versionOf(key, key.version)))
  return { apiKey, key }
}

const NEVER_USED = {
  owner_stopped_at: null,
  kid_used_at: null,
  last_used_at: null,
  graced_kid: null,
  graced_until: null,
  graced_used_at: null,
}

function rowOf(input: CreateKey, now: Date) {
  checkFields(
    () => readName(input.name),
    () => readDescription(input.description),
    () => readExpiry(input.expires_at, now),
    () => readNetworks(input.networks ?? []),
  )
  const expiresAt = readExpiry(input.expires_at, now)
  return {
    name: readName(input.name),
    description: readDescription(input.description),
    environment: input.environment ?? ('live' as const),
    scopes: readScopes(input.scopes ?? API_KEY_SCOPES),
    networks: readNetworks(input.networks ?? []),
    rate_limits: readLimits(input.rate_limits ?? null),
    state: 'active' as const,
    version: 1,
    expires_at: expiresAt,
    expiry_notice: dueNotice(expiresAt, now),
    created_at: now,
    revoked_at: null,
    deleted_at: null,
  }
}
