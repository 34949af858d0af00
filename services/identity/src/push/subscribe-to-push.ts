import { ECDH } from 'node:crypto'
import type { UserActor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { pushSubscribed } from '@tapeline/contracts/identity/events'
import type { PushSubscribed, SubscribeToPush } from '@tapeline/contracts/identity/push'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { endpointFault } from '@tapeline/service/outbound/check-endpoint'
import { deleteOldestSubscriptions, deleteSubscriptionOfOthers, upsertSubscription } from './push-queries.ts'
import { hashEndpoint, encryptSubscription } from './encrypted-subscription.ts'

/** Maximum browsers per user; a new one replaces the oldest. */
export const BROWSERS_MAX = 20
const CURVE = 'prime256v1'

/** Subscribes a browser until its session ends. Idempotent. @throws AppError credential.missing */
export async function subscribeToPush(
  deps: Pick<Deps, 'db' | 'now' | 'newId' | 'secret' | 'pushRules'>,
  actor: UserActor,
  input: SubscribeToPush,
): Promise<PushSubscribed> {
  const { userId, sessionId } = actor
  if (sessionId === null) throw new AppError('credential.missing', 'Sign in first.')
  check(deps, input)
  const endpointHash = hashEndpoint(input.endpoint)
  return deps.db.transaction().execute(async (trx) => {
    await deleteSubscriptionOfOthers(trx, userId, endpointHash)
    const { id, isNew } = await upsertSubscription(trx, {
      id: deps.newId(),
      user_id: userId,
      session_id: sessionId,
      endpoint_hash: endpointHash,
      sealed_subscription: encryptSubscription(deps.secret, input),
      created_at: deps.now(),
    })
    if (!isNew) return { id }
    await deleteOldestSubscriptions(trx, userId, BROWSERS_MAX)
    const data = { user_id: userId, subscription_id: id, session_id: sessionId }
    const about = { id: deps.newId(), time: deps.now(), subject: userId, account: userId, actor }
    await recordEvent(trx, newEvent(pushSubscribed, { ...about, data }))
    return { id }
  })
}

function check({ pushRules }: Pick<Deps, 'pushRules'>, { endpoint, keys }: SubscribeToPush): void {
  const fault = endpointFault(endpoint, pushRules)
  if (fault !== undefined) throw invalid('/endpoint', fault)
  try {
    ECDH.convertKey(keys.p256dh, CURVE, 'base64url')
  } catch {
    throw invalid('/keys/p256dh', 'p256dh is not a public key of the curve P-256.')
  }
}

function invalid(field: string, message: string): AppError {
  return new AppError('push_subscription.invalid', message, { errors: [{ field, message }] })
}
