import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyRegenerated } from '@tapeline/contracts/api-key/events'
import type { CreatedKey, RegenerateKey } from '@tapeline/contracts/api-key/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { KeyDeps } from '../deps.ts'
import { aboutKey, factOf } from './key-event.ts'
import { changeKey, insertSecret, lockKey, markSecretEnded } from './key-queries.ts'
import { publishVersion, versionChanges, versionOf } from './key-version.ts'
import { noSuchKey } from './no-such-key.ts'
import { presentKey } from './present-key.ts'
import { labelOf, newSecret } from './secret.ts'
import type { ApiKeyRow, Tables } from '../tables.ts'

const SECOND_MS = 1_000

/**
 * Creates a new secret for a key; everything else stays. With a grace period, one older secret keeps working
 * (`graceOf`); all others end immediately.
 * @throws AppError when the key does not exist or is revoked
 */
export async function regenerateKey(
  deps: KeyDeps,
  actor: UserActor,
  keyId: string,
  input: RegenerateKey = {},
): Promise<CreatedKey> {
  const now = deps.now()
  const regenerated = await deps.db.transaction().execute(async (trx) => {
    const old = await lockUsableKey(trx, actor, { keyId, now })
    const { apiKey, kid, secretSha256 } = newSecret(labelOf(old))
    const grace = graceOf(old, input.grace_seconds ?? 0, now)
    for (const each of old.graced_kid === null ? [old.kid] : [old.kid, old.graced_kid]) {
      await markSecretEnded(trx, each, each === grace.graced_kid ? (grace.graced_until ?? now) : now)
    }
    const secret = { kid, key_id: keyId, secret_sha256: secretSha256, imported_prefix: null }
    await insertSecret(trx, { ...secret, created_at: now, ends_at: null })
    const key = { ...old, kid, kid_used_at: null, imported_prefix: null, version: old.version + 1, ...grace }
    await changeKey(trx, old, { version: key.version })
    // No gateway can have cached the new kid yet, so only the old ones need the version.
    const version = versionOf(old, key.version)
    const data = { ...factOf({ ...old, version: key.version }), kid, replaced_kid: old.kid, ...endsIn(old, grace) }
    const event = newEvent(apiKeyRegenerated, { ...aboutKey(deps, actor, key), data })
    await recordEvent(trx, event, ...versionChanges(version))
    return { apiKey, key, version }
  })
  const effective = await publishVersion(deps, regenerated.version)
  return { apiKey: regenerated.apiKey, name: regenerated.key.name, key: presentKey(regenerated.key, now), ...effective }
}

type Grace = Pick<ApiKeyRow, 'graced_kid' | 'graced_until' | 'graced_used_at' | 'graced_imported_prefix'>
const NO_GRACE: Grace = { graced_kid: null, graced_until: null, graced_used_at: null, graced_imported_prefix: null }

/**
 * The older secret that keeps working: the current one or, if it was never used, the one before it for as long as that
 * one is in its grace period. The response with an unused secret may have been lost, and programs do not have it then.
 */
function graceOf(old: ApiKeyRow, graceSeconds: number, now: Date): Grace {
  const { kid, kid_used_at, imported_prefix, graced_kid, graced_until } = old
  const until = endOf(old, graceSeconds, now)
  if (until <= now) return NO_GRACE
  if (kid_used_at === null && graced_kid !== null && graced_until !== null) {
    const { graced_used_at, graced_imported_prefix } = old
    return { graced_kid, graced_until: later(graced_until, until), graced_used_at, graced_imported_prefix }
  }
  return {
    graced_kid: kid,
    graced_until: until,
    graced_used_at: kid_used_at,
    graced_imported_prefix: imported_prefix,
  }
}

/** End of the grace period: at most the key's own expiry. */
function endOf({ expires_at }: ApiKeyRow, graceSeconds: number, now: Date): Date {
  const endsAt = new Date(now.getTime() + graceSeconds * SECOND_MS)
  if (expires_at === null || expires_at > endsAt) return endsAt
  return expires_at > now ? expires_at : now
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other
}

/** When older secrets end, for the event. */
function endsIn({ kid }: ApiKeyRow, { graced_kid: kept, graced_until: until }: Grace) {
  if (kept === null || until === null) return {}
  return kept === kid ? { replaced_until: until.toISOString() } : { kept_kid: kept, kept_until: until.toISOString() }
}

type Which = { keyId: string; now: Date }

async function lockUsableKey(trx: Transaction<Tables>, actor: UserActor, which: Which): Promise<ApiKeyRow> {
  const key = await lockKey(trx, actor, which)
  if (key === undefined) throw noSuchKey()
  if (key.state === 'revoked') {
    throw new AppError('api_key.already_revoked', 'This API key is revoked: create a new one instead.')
  }
  return key
}
