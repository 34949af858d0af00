import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyUpdated } from '@tapeline/contracts/api-key/events'
import type { KeyAnswer, UpdateKey } from '@tapeline/contracts/api-key/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { isDeepStrictEqual } from 'node:util'
import { checkFields } from '../fields/check-fields.ts'
import type { KeyDeps } from '../deps.ts'
import { dueNotice } from './expiry-notices.ts'
import { aboutKey, factOf } from './key-event.ts'
import { changeKey } from './key-queries.ts'
import { publishVersion, versionChanges, versionOf } from './key-version.ts'
import { lockChangeableKey } from './lock-changeable-key.ts'
import { presentKey } from './present-key.ts'
import { readExpiry } from '../fields/read-expiry.ts'
import { readLimits, readScopes, readTags } from '../fields/read-key-fields.ts'
import { readNetworks } from '../fields/read-networks.ts'
import { readDescription, readName, readOwnerNote } from '../fields/read-text.ts'
import type { ApiKeyRow } from '../tables.ts'

const COMPILED = ['state', 'expires_at', 'scopes', 'networks', 'rate_limits'] as const
const CHANGEABLE = ['name', 'description', 'tags', 'owner_note', ...COMPILED] as const
type Changeable = Pick<ApiKeyRow, (typeof CHANGEABLE)[number]>

/**
 * Updates a key; absent fields keep their value. Without changes there is no event and no new version.
 * @throws AppError when the key does not exist, is revoked, or a field is invalid
 */
export async function updateKey(deps: KeyDeps, actor: UserActor, keyId: string, input: UpdateKey): Promise<KeyAnswer> {
  const now = deps.now()
  const { key, version } = await deps.db.transaction().execute(async (trx) => {
    const old = await lockChangeableKey(trx, actor, { keyId, now })
    const updated = fieldsOf(old, input, now)
    const changed = CHANGEABLE.filter((field) => !isDeepStrictEqual(old[field], updated[field]))
    if (changed.length === 0) return { key: old, version: undefined }
    const isCompiled = COMPILED.some((field) => changed.includes(field))
    const key: ApiKeyRow = { ...old, ...updated, version: isCompiled ? old.version + 1 : old.version }
    if (changed.includes('expires_at')) key.expiry_notice = dueNotice(key.expires_at, now)
    await changeKey(trx, old, { ...updated, version: key.version, expiry_notice: key.expiry_notice })
    const version = isCompiled ? versionOf(key, key.version) : undefined
    const data = { ...factOf(key), before: shown(old, changed), after: shown(key, changed) }
    const event = newEvent(apiKeyUpdated, { ...aboutKey(deps, actor, key), data })
    await recordEvent(trx, event, ...(version === undefined ? [] : versionChanges(version)))
    return { key, version }
  })
  const effective = version === undefined ? {} : await publishVersion(deps, version)
  return { key: presentKey(key, now), ...effective }
}

function fieldsOf(old: ApiKeyRow, input: UpdateKey, now: Date): Changeable {
  checkFields(
    () => readName(input.name ?? old.name),
    () => readDescription(input.description),
    () => readOwnerNote(input.owner_note),
    () => readExpiry(input.expires_at, now, old.expires_at),
    () => readNetworks(input.networks ?? []),
    () => readScopes(old.kind, input.scopes ?? old.scopes),
  )
  return {
    name: input.name === undefined ? old.name : readName(input.name),
    description: input.description === undefined ? old.description : readDescription(input.description),
    tags: input.tags === undefined ? old.tags : readTags(input.tags),
    owner_note: input.owner_note === undefined ? old.owner_note : readOwnerNote(input.owner_note),
    state: stateOf(old, input.is_active),
    expires_at: input.expires_at === undefined ? old.expires_at : readExpiry(input.expires_at, now, old.expires_at),
    scopes: input.scopes === undefined ? old.scopes : readScopes(old.kind, input.scopes),
    networks: input.networks === undefined ? old.networks : readNetworks(input.networks),
    rate_limits: input.rate_limits === undefined ? old.rate_limits : readLimits(input.rate_limits),
  }
}

function stateOf({ state }: ApiKeyRow, isActive: boolean | undefined): ApiKeyRow['state'] {
  if (isActive === undefined) return state
  return isActive ? 'active' : 'inactive'
}

/** The changed fields as presented to the owner. */
function shown(key: ApiKeyRow, changed: readonly (typeof CHANGEABLE)[number][]): Record<string, unknown> {
  return Object.fromEntries(
    changed.map((field) => (field === 'state' ? ['is_active', key.state === 'active'] : [field, plain(key[field])])),
  )
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}
