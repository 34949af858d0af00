import { timingSafeEqual } from 'node:crypto'
import { apiKeyLeaked } from '@tapeline/contracts/api-key/events'
import {
  LEAK_ACTION_DEFAULT,
  type LeakAction,
  type LeakedKeysReceived,
  type LeakOutcome,
  type ReportLeakedKeys,
} from '@tapeline/contracts/api-key/leaks'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { KeyDeps } from '../deps.ts'
import { endSecretOf } from '../keys/end-old-secret.ts'
import { aboutKey, nameOf } from '../keys/key-event.ts'
import { listSecrets, lockKey } from '../keys/key-queries.ts'
import { type KeyVersion, publishVersion, versionOf } from '../keys/key-version.ts'
import { revokeLockedKey } from '../keys/revoke-key.ts'
import { hashSecret, labelOf, type ReadKey, readKey } from '../keys/secret.ts'
import { importedKeyHash, importedKid } from '@tapeline/service/keys/imported-key'
import type { ApiKeyRow, Tables } from '../tables.ts'
import { findLeakAction, recordLeakReport } from './leak-queries.ts'

/** With the policy `warn`, the owner is warned of a key at most once in this time. */
const WARN_AGAIN_MS = 24 * 60 * 60 * 1_000
const REPORTED = { kind: 'service', service: 'api-key' } as const

type Proven = { kid: string; keyId: string; userId: string }

/**
 * Revokes reported keys, or warns their owners, as each owner has chosen. The answer is the same for keys that work,
 * that do not, and that never existed. Idempotent: a revoked key is not reported again.
 * @throws the first unexpected failure, after all keys were attempted; the report can be repeated
 */
export async function reportLeakedKeys(deps: KeyDeps, { keys, url }: ReportLeakedKeys): Promise<LeakedKeysReceived> {
  const failures: unknown[] = []
  for (const proven of await provenKeys(deps, [...new Set(keys)])) {
    await settleLeak(deps, proven, url ?? null).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
  return { received: keys.length }
}

/** Keys whose whole secret was reported, and that have not been revoked or replaced. */
async function provenKeys({ db, now }: KeyDeps, texts: readonly string[]): Promise<Proven[]> {
  const reported = new Map(texts.map(readReported).map((read) => [read.kid, read]))
  const found = await listSecrets(db, [...reported.keys()])
  return found
    .filter((secret) => isProof(secret, reported.get(secret.kid)))
    .filter(({ ends_at }) => ends_at === null || ends_at > now())
    .map(({ kid, id, user_id }) => ({ kid, keyId: id, userId: user_id }))
}

type Secret = Awaited<ReturnType<typeof listSecrets>>[number]

/** `label` undefined: not a key of this platform, but it may have been imported. */
type Reported = Omit<ReadKey, 'label'> & { label: ReadKey['label'] | undefined }

function readReported(text: string): Reported {
  return readKey(text) ?? { kid: importedKid(importedKeyHash(text)), secret: text, label: undefined }
}

function isProof(secret: Secret, read: Reported | undefined): boolean {
  if (read === undefined || secret.state === 'revoked' || secret.state === 'deleted') return false
  const label = secret.imported_prefix === null ? labelOf(secret) : undefined
  return read.label === label && timingSafeEqual(hashSecret(read.secret), secret.secret_sha256)
}

/** In one transaction per key; the version is published after it, so that the next request is rejected. */
async function settleLeak(deps: KeyDeps, { kid, keyId, userId }: Proven, url: string | null): Promise<void> {
  const now = deps.now()
  const version = await deps.db.transaction().execute(async (trx) => {
    const key = await lockKey(trx, { userId }, { keyId, now })
    if (key === undefined || key.state === 'revoked' || (key.kid !== kid && key.graced_kid !== kid)) return undefined
    const action = (await findLeakAction(trx, userId)) ?? LEAK_ACTION_DEFAULT
    const since = new Date(now.getTime() - WARN_AGAIN_MS)
    const isNew = await recordLeakReport(trx, kid, { at: now, since })
    if (action === 'warn' && !isNew) return undefined
    const { outcome, version: changed } = await applyAction(deps, trx, { key, kid, action })
    const data = { ...nameOf({ ...key, kid }), outcome, url }
    await recordEvent(trx, newEvent(apiKeyLeaked, { ...aboutKey(deps, REPORTED, key), data }))
    return changed
  })
  if (version !== undefined) await publishVersion(deps, version)
}

type Leak = { key: ApiKeyRow; kid: string; action: LeakAction }

async function applyAction(
  deps: KeyDeps,
  trx: Transaction<Tables>,
  { key, kid, action }: Leak,
): Promise<{ outcome: LeakOutcome; version?: KeyVersion }> {
  if (action === 'warn') return { outcome: 'warned' }
  if (key.kid !== kid) {
    const { version } = await endSecretOf(deps, trx, REPORTED, key)
    return { outcome: 'old_secret_ended', version }
  }
  const revoked = await revokeLockedKey(deps, trx, REPORTED, key)
  return { outcome: 'revoked', version: versionOf(key, revoked.version) }
}
