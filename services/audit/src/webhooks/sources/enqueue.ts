import { TIERS } from '@tapeline/contracts/actor'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import type { Transaction } from 'kysely'
import type { Deps } from '../../deps.ts'
import type { Tables } from '../../tables.ts'
import { insertDeliveries, type WebhookMessage } from '../deliveries/delivery-queries.ts'

export type EnqueueDeps = Pick<Deps, 'now' | 'settings'>

/** Queues a message for the endpoints that subscribe to it, in the transaction of its event. Idempotent. */
export function enqueue(
  { now, settings }: EnqueueDeps,
  trx: Transaction<Tables>,
  message: WebhookMessage,
): Promise<number> {
  const documents = settings.tiers() ?? tierDocuments
  const included = TIERS.filter((tier) => documents[tier].features.webhooks)
  return insertDeliveries(trx, message, { tiers: isAboutPlan(message) ? TIERS : included, now: now() })
}

/** Sent to accounts of every tier, because a change of plan can remove webhooks from the account. */
function isAboutPlan({ type }: WebhookMessage): boolean {
  return type.startsWith('plan.')
}
