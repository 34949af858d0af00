import { type Actor, Tier } from '@tapeline/contracts/actor'
import { subscriptionChanged } from '@tapeline/contracts/config/events'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import { RateLimits } from '@tapeline/contracts/config/tiers'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { EFFECTIVE_WITHIN_SECONDS, SUBSCRIPTION_VERSION_FIELD } from '@tapeline/service/account-versions'
import { type Static, Type } from 'typebox'
import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../deps.ts'
import { newSubscription } from './new-subscription.ts'
import { presentSubscription } from './present-subscription.ts'
import { insertSubscriptionIfAbsent, lockSubscription, updateSubscription } from './subscription-queries.ts'
import type { SubscriptionRow } from '../tables.ts'

/** What is absent stays. Own limits need not rise with the window: a test may want only one of them to bind. */
export const SetSubscription = Type.Object(
  {
    account_id: Type.String({ format: 'uuid' }),
    tier: Type.Optional(Tier),
    rate_limits: Type.Optional(Type.Union([RateLimits, Type.Null()])),
  },
  { additionalProperties: false },
)
export type SetSubscription = Static<typeof SetSubscription>

export type SubscriptionAnswer = SubscriptionRecord & { effective_within_seconds?: number }

/** Changes an account's tier or its own limits for the next request on every gateway; counters stay. */
export async function setSubscription(deps: Deps, actor: Actor, input: SetSubscription): Promise<SubscriptionAnswer> {
  const row = await change(deps, actor, input)
  const isTold = await deps.raiseVersion({
    accountId: row.account_id,
    field: SUBSCRIPTION_VERSION_FIELD,
    version: row.version,
  })
  return { ...presentSubscription(row), ...(isTold ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }) }
}

function change(deps: Deps, actor: Actor, input: SetSubscription): Promise<SubscriptionRow> {
  const now = deps.now()
  return deps.db.transaction().execute(async (trx) => {
    await insertSubscriptionIfAbsent(trx, { ...newSubscription(input.account_id, now), rate_limits: null })
    const before = await lockSubscription(trx, input.account_id)
    const tier = input.tier ?? before.tier
    const rateLimits = input.rate_limits === undefined ? before.rate_limits : input.rate_limits
    if (tier === before.tier && isDeepStrictEqual(rateLimits, before.rate_limits)) return before
    const after = { ...before, tier, rate_limits: rateLimits, version: before.version + 1, updated_at: now }
    await updateSubscription(trx, after)
    const accountId = after.account_id
    const event = newEvent(subscriptionChanged, {
      id: deps.newId(),
      time: now,
      subject: accountId,
      account: accountId,
      actor,
      data: { account_id: accountId, before: stateOf(before), after: stateOf(after), version: after.version },
    })
    await recordEvent(trx, event, { accountId, field: SUBSCRIPTION_VERSION_FIELD, version: after.version })
    return after
  })
}

function stateOf({ tier, rate_limits }: SubscriptionRow): Pick<SubscriptionRow, 'tier' | 'rate_limits'> {
  return { tier, rate_limits }
}
