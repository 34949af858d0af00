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
 * Creates a new secret for a key; everything else stays. The replaced secret ends immediately or after its grace
 * period; an older one in its grace period ends now.
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
    const endsAt = endOf(old, input.grace_seconds ?? 0, now)
    if (old.graced_kid !== null) await markSecretEnded(trx, old.graced_kid, now)
    await markSecretEnded(trx, old.kid, endsAt)
    const secret = { kid, key_id: keyId, secret_sha256: secretSha256, imported_prefix: null }
    await insertSecret(trx, { ...secret, created_at: now, ends_at: null })
    const key = successor(old, { kid, endsAt, now })
    await changeKey(trx, old, { version: key.version })
    // No gateway can have cached the new kid yet, so only the old ones need the version.
    const version = versionOf(old, key.version)
    const until = endsAt > now ? { replaced_until: endsAt.toISOString() } : {}
    const data = { ...factOf({ ...old, version: key.version }), kid, replaced_kid: old.kid, ...until }
    const event = newEvent(apiKeyRegenerated, { ...aboutKey(deps, actor, key), data })
    await recordEvent(trx, event, ...versionChanges(version))
    return { apiKey, key, version }
  })
  const effective = await publishVersion(deps, regenerated.version)
  return { apiKey: regenerated.apiKey, name: regenerated.key.name, key: presentKey(regenerated.key, now), ...effective }
}

/** End of the grace period: at most the key's own expiry. */
function endOf({ expires_at }: ApiKeyRow, graceSeconds: number, now: Date): Date {
  const endsAt = new Date(now.getTime() + graceSeconds * SECOND_MS)
  if (expires_at === null || expires_at > endsAt) return endsAt
  return expires_at > now ? expires_at : now
}

type Succession = { kid: string; endsAt: Date; now: Date }

function successor(old: ApiKeyRow, { kid, endsAt, now }: Succession): ApiKeyRow {
  const key = { ...old, kid, kid_used_at: null, imported_prefix: null, version: old.version + 1 }
  if (endsAt <= now) {
    return { ...key, graced_kid: null, graced_until: null, graced_used_at: null, graced_imported_prefix: null }
  }
  return {
    ...key,
    graced_kid: old.kid,
    graced_until: endsAt,
    graced_used_at: old.kid_used_at,
    graced_imported_prefix: old.imported_prefix,
  }
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
