import type { Actor, UserActor } from '@tapeline/contracts/actor'
import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import type { CreateKey, KeyKind } from '@tapeline/contracts/api-key/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import { checkFields } from '../fields/check-fields.ts'
import type { Deps } from '../deps.ts'
import { dueNotice } from './expiry-notices.ts'
import { aboutKey, factOf } from './key-event.ts'
import { countKeys, insertKey, insertSecret, lockKeysOfUser } from './key-queries.ts'
import { versionChanges, versionOf } from './key-version.ts'
import { checkKeyCount } from './keys-per-tier.ts'
import { readExpiry } from '../fields/read-expiry.ts'
import { readLimits, readScopes, readTags } from '../fields/read-key-fields.ts'
import { readNetworks } from '../fields/read-networks.ts'
import { readDescription, readName, readOwnerNote } from '../fields/read-text.ts'
import { labelOf, newSecret } from './secret.ts'
import type { ApiKeyRow, Tables } from '../tables.ts'

/** `apiKey` is empty for an imported key. */
export type NewKey = { apiKey: string; key: ApiKeyRow }
/** The secret of a key that another gateway issued, and its first characters; `by`: the actor of the event. */
export type ImportedSecret = { kid: string; secretSha256: Buffer; prefix: string; isActive: boolean; by: Actor }
type NewKeyInput = CreateKey & {
  external_id?: string | undefined
  is_active?: boolean | undefined
  imported?: ImportedSecret
}

/** Inserts a key, its first secret and their event. */
export async function addKey(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  actor: UserActor,
  { external_id, imported, ...input }: NewKeyInput,
): Promise<NewKey> {
  const now = deps.now()
  const { userId } = actor
  const row = { id: deps.newId(), user_id: userId, external_id: external_id ?? null, ...rowOf(input, imported, now) }
  if (row.kind === 'service' && actor.keyId !== null) throw notByKey()
  const { apiKey, kid, secretSha256 } = imported === undefined ? newSecret(labelOf(row)) : { apiKey: '', ...imported }
  await lockKeysOfUser(trx, userId)
  checkKeyCount(row.kind, actor.tier, await countKeys(trx, userId, row.kind))
  await insertKey(trx, row)
  const imported_prefix = imported?.prefix ?? null
  const secret = { kid, key_id: row.id, secret_sha256: secretSha256, imported_prefix }
  await insertSecret(trx, { ...secret, created_at: now, ends_at: null })
  const key = { ...row, ...NEVER_USED, kid, imported_prefix }
  const event = newEvent(apiKeyCreated, { ...aboutKey(deps, imported?.by ?? actor, key), data: factOf(key) })
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
  graced_imported_prefix: null,
}

function rowOf(input: Omit<NewKeyInput, 'imported'>, imported: ImportedSecret | undefined, now: Date) {
  const { kind = 'data', environment = 'live', is_active: isActive = imported?.isActive ?? true } = input
  checkFields(
    () => readName(input.name),
    () => readDescription(input.description),
    () => readOwnerNote(input.owner_note),
    () => readExpiry(input.expires_at, now),
    () => readNetworks(input.networks ?? []),
    () => readScopes(kind, input.scopes),
    () => checkEnvironment(kind, environment),
  )
  const expiresAt = readExpiry(input.expires_at, now)
  return {
    name: readName(input.name),
    description: readDescription(input.description),
    kind,
    environment,
    scopes: readScopes(kind, input.scopes),
    networks: readNetworks(input.networks ?? []),
    rate_limits: readLimits(input.rate_limits ?? null),
    shadow_limits: null,
    tags: readTags(input.tags ?? []),
    owner_note: readOwnerNote(input.owner_note),
    state: isActive ? ('active' as const) : ('inactive' as const),
    version: 1,
    expires_at: expiresAt,
    expiry_notice: dueNotice(expiresAt, now),
    created_at: now,
    revoked_at: null,
    deleted_at: null,
  }
}

function checkEnvironment(kind: KeyKind, environment: 'live' | 'test'): void {
  if (kind === 'data' || environment === 'live') return
  const message = 'A service key has no environment: it acts on the account.'
  throw new AppError('request.invalid', message, { errors: [{ field: '/environment', message, rule: 'kind' }] })
}

function notByKey(): AppError {
  return new AppError('request.forbidden', 'A service key cannot create service keys: sign in.')
}
