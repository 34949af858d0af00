import type { UserActor } from '@tapeline/contracts/actor'
import { CreatedBefore, type CreatedKey, type CreateKey } from '@tapeline/contracts/api-key/http'
import { AppError } from '@tapeline/service/app-error'
import { Value } from 'typebox/value'
import { presentNewKey } from '../keys/create-key.ts'
import type { KeyDeps } from '../deps.ts'
import { findAnswer, saveAnswer, tryLockIdempotencyKey } from './idempotency-queries.ts'
import { addKey } from '../keys/new-key.ts'
import { presentKey } from '../keys/present-key.ts'
import { createHash } from 'node:crypto'

export const ANSWERS_KEPT_MS = 24 * 60 * 60 * 1_000

type Once = { createdBefore: CreatedBefore } | { created: CreatedKey }
type Attempt = { idempotencyKey: string; input: CreateKey }

/**
 * Creates a key idempotently: key and response are saved in one transaction, so a crash leaves both or neither. Only
 * successful creations are stored; a request in progress holds a transaction-level lock.
 * @throws AppError idempotency_key.in_flight, idempotency_key.reused
 */
export async function createKeyOnce(
  deps: KeyDeps,
  actor: UserActor,
  { idempotencyKey, input }: Attempt,
): Promise<Once> {
  const now = deps.now()
  const owned = { userId: actor.userId, idempotencyKey }
  const fingerprint = fingerprintOf(input)
  const result = await deps.db.transaction().execute(async (trx) => {
    if (!(await tryLockIdempotencyKey(trx, owned))) throw inFlight()
    const saved = await findAnswer(trx, owned, new Date(now.getTime() - ANSWERS_KEPT_MS))
    if (saved !== undefined) {
      if (!saved.fingerprint.equals(fingerprint)) throw reused()
      return { createdBefore: Value.Parse(CreatedBefore, Value.Default(CreatedBefore, saved.answer)) }
    }
    const created = await addKey(deps, trx, actor, input)
    const answer: CreatedBefore = { name: created.key.name, key: presentKey(created.key, now) }
    await saveAnswer(trx, owned, { fingerprint, answer: JSON.stringify(answer), created_at: now })
    return { newKey: created }
  })
  return 'newKey' in result ? { created: await presentNewKey(deps, result.newKey) } : result
}

function inFlight(): AppError {
  return new AppError('idempotency_key.in_flight', 'A request with this Idempotency-Key is still in progress.', {
    retryAfterSeconds: 1,
  })
}

function reused(): AppError {
  return new AppError(
    'idempotency_key.reused',
    'This Idempotency-Key was used for another request within the last 24 hours. Use a new one for each key.',
  )
}

/** Hash of a body, independent of the order of its fields. */
function fingerprintOf(body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(inOrder(body)))
    .digest()
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => [name, inOrder(field)])
}
