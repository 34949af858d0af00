import { createHash } from 'node:crypto'
import type { UserActor } from '@tapeline/contracts/actor'
import type { BulkAnswer, BulkChange, BulkKey } from '@tapeline/contracts/api-key/bulk'
import type { ErrorCode } from '@tapeline/contracts/error-code'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { EFFECTIVE_WITHIN_SECONDS } from '@tapeline/service/account-versions'
import { AppError } from '@tapeline/service/app-error'
import { toAppError } from '@tapeline/service/to-app-error'
import type { KeyDeps } from '../deps.ts'
import { listKeys } from '../keys/list-keys.ts'
import { readExpiry } from '../fields/read-expiry.ts'
import { regenerateKey } from '../keys/regenerate-key.ts'
import { revokeKey } from '../keys/revoke-key.ts'
import { updateKey } from '../keys/update-key.ts'

/** The gateway ends the call after 15 s, and with it an answer that contains the only copy of new secrets. */
const TIME_LIMIT_MS = 10_000

type Options = {
  /** No further key is changed after this time. */
  timeLimitMs?: number
  /** Receives errors that the answer reports without their details. */
  onError?: (error: unknown, keyId: string) => void
}

/**
 * Changes all market-data keys with a tag that are not revoked, or lists them when the change has no preview. Each key is
 * changed in a separate transaction; the answer has the outcome of each, also of those that failed or were not attempted.
 * @throws AppError `api_key.selection_changed` when other keys, or other states of them, were previewed
 */
export async function changeKeys(
  deps: KeyDeps,
  actor: UserActor,
  change: BulkChange,
  { timeLimitMs = TIME_LIMIT_MS, onError }: Options = {},
): Promise<BulkAnswer> {
  const startedMs = performance.now()
  checkChange(deps, change)
  const { apiKeys } = await listKeys(deps, actor, { kind: 'data', tag: change.tag })
  const selected = apiKeys.filter(({ status }) => status !== 'revoked')
  const preview = digestOf(selected, change)
  if (change.preview === undefined) return { is_preview: true, preview, keys: selected.map((key) => ({ key })) }
  if (change.preview !== preview) throw selectionChanged()
  const { concurrentDeps, published } = publishConcurrently(deps)
  const keys: BulkKey[] = []
  for (const key of selected) {
    const isLate = performance.now() - startedMs >= timeLimitMs
    keys.push(
      isLate
        ? { key, failed: 'api_key.not_attempted' satisfies ErrorCode }
        : await changeOne(concurrentDeps, actor, key, { change, onError }),
    )
  }
  const isPublished = (await published()).every(Boolean)
  return {
    is_preview: false,
    preview,
    keys,
    ...(isPublished ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }),
  }
}

/** Versions are published after each commit, while the next keys are changed: Redis delays the answer only once. */
function publishConcurrently(deps: KeyDeps) {
  const publishing: Promise<boolean>[] = []
  const raiseVersion: KeyDeps['raiseVersion'] = (version) => {
    publishing.push(deps.raiseVersion(version))
    return Promise.resolve(true)
  }
  return { concurrentDeps: { ...deps, raiseVersion }, published: () => Promise.all(publishing) }
}

type Changing = { change: BulkChange; onError: Options['onError'] }

async function changeOne(
  deps: KeyDeps,
  actor: UserActor,
  key: ApiKey,
  { change, onError }: Changing,
): Promise<BulkKey> {
  try {
    return await run(deps, actor, key, change)
  } catch (error) {
    if (!(error instanceof AppError)) onError?.(error, key.id)
    return { key, failed: toAppError(error).code }
  }
}

async function run(deps: KeyDeps, actor: UserActor, key: ApiKey, change: BulkChange): Promise<BulkKey> {
  switch (change.action) {
    case 'revoke':
      return { key: (await revokeKey(deps, actor, key.id)).key }
    case 'rotate': {
      const grace = change.grace_seconds === undefined ? {} : { grace_seconds: change.grace_seconds }
      const { apiKey, key: rotated } = await regenerateKey(deps, actor, key.id, grace)
      return { key: rotated, apiKey }
    }
    case 'expire': {
      const { key: changed } = await updateKey(deps, actor, key.id, { expires_at: change.expires_at ?? null })
      return key.status === 'expired' ? { key: changed } : { key: changed, undo: { expires_at: key.expires_at } }
    }
    case 'deactivate':
    case 'activate': {
      const { key: changed } = await updateKey(deps, actor, key.id, { is_active: change.action === 'activate' })
      return changed.status === key.status ? { key: changed } : { key: changed, undo: { is_active: key.is_active } }
    }
  }
}

function checkChange({ now }: KeyDeps, { action, expires_at: expiresAt }: BulkChange): void {
  if (action !== 'expire') return
  if (typeof expiresAt !== 'string') {
    const message = 'Specify the time at which the keys expire.'
    throw new AppError('request.invalid', message, { errors: [{ field: '/expires_at', message, rule: 'required' }] })
  }
  readExpiry(expiresAt, now())
}

/** Digest of a preview: the change, and every key with the fields that a change can alter. */
function digestOf(keys: readonly ApiKey[], { tag, action, grace_seconds, expires_at }: BulkChange): string {
  const ordered = keys.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const states = ordered.map(({ id, prefix, status, expires_at: expiresAt }) => [id, prefix, status, expiresAt])
  return createHash('sha256')
    .update(JSON.stringify([tag, action, grace_seconds, expires_at, states]))
    .digest('hex')
}

function selectionChanged(): AppError {
  return new AppError(
    'api_key.selection_changed',
    'Keys with this tag changed since the preview. Request a new preview.',
  )
}
