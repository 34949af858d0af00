import type { FindKeys, FoundKeys, KeyRecord } from '@tapeline/contracts/api-key/key-record'
import type { Deps } from '../deps.ts'
import { findSecret, listSecrets } from './key-queries.ts'
import { noSuchKey } from './no-such-key.ts'

/** How long a deleted key is distinguished from one that never existed: as long as gateways may have cached it. */
export const REMOVED_KEY_KEPT_MS = 31 * 24 * 60 * 60 * 1_000

type Secret = NonNullable<Awaited<ReturnType<typeof findSecret>>>

/**
 * What the gateway caches of a kid.
 * @throws AppError when the kid does not exist
 */
export async function readKeyRecord(deps: Pick<Deps, 'db' | 'now'>, kid: string): Promise<KeyRecord> {
  const now = deps.now()
  const secret = await findSecret(deps.db, kid)
  if (secret === undefined || isForgotten(secret, now)) throw noSuchKey()
  return recordOf(secret, now)
}

/** The records of many kids, in one statement; unknown kids take as long as existing ones. */
export async function readKeyRecords(deps: Pick<Deps, 'db' | 'now'>, { kids }: FindKeys): Promise<FoundKeys> {
  const now = deps.now()
  const found = await listSecrets(deps.db, kids)
  return { records: found.filter((secret) => !isForgotten(secret, now)).map((secret) => recordOf(secret, now)) }
}

function recordOf(secret: Secret, now: Date): KeyRecord {
  return {
    kid: secret.kid,
    key_id: secret.id,
    account_id: secret.user_id,
    version: secret.version,
    secret_sha256: secret.secret_sha256.toString('hex'),
    state: stateOf(secret, now),
    environment: secret.environment,
    ...(secret.kind === 'data' ? {} : { kind: secret.kind }),
    scopes: secret.scopes,
    networks: secret.networks,
    rate_limits: secret.rate_limits,
    ...shadowOf(secret),
    expires_at_ms: earliest(secret.expires_at, secret.ends_at),
    replaced_at_ms: replacedAt(secret),
  }
}

function shadowOf({ shadow_limits: shadow }: Secret): Pick<KeyRecord, 'shadow_limits'> {
  return shadow === null ? {} : { shadow_limits: { id: shadow.id, rate_limits: shadow.rate_limits } }
}

function isForgotten({ deleted_at }: Secret, now: Date): boolean {
  return deleted_at !== null && now.getTime() - deleted_at.getTime() > REMOVED_KEY_KEPT_MS
}

/**
 * A replaced secret is rejected like a revoked key, while the key continues with its new one. The gateway checks the
 * owner's status itself and immediately; the status stored here arrives later and is not used.
 */
function stateOf({ state, ends_at }: Secret, now: Date): KeyRecord['state'] {
  if (state === 'deleted') return state
  if (state === 'revoked' || (ends_at !== null && ends_at <= now)) return 'revoked'
  return state
}

/**
 * End of a secret that was replaced before its key was revoked or expired: the gateway reports that instead of the
 * key's end.
 */
function replacedAt({ state, ends_at, expires_at }: Secret): number | null {
  if (ends_at === null || state === 'revoked' || state === 'deleted') return null
  return expires_at !== null && expires_at <= ends_at ? null : ends_at.getTime()
}

function earliest(...times: (Date | null)[]): number | null {
  const timesMs = times.flatMap((time) => (time === null ? [] : [time.getTime()]))
  return timesMs.length === 0 ? null : Math.min(...timesMs)
}
