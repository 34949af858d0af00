import { recordsIngested } from '@tapeline/contracts/market-data/events'
import { onBatch, type Subscription } from '@tapeline/events/subscription'
import type { Deps } from './deps.ts'
import { faultOfIngested, storeIngested } from './store/store-ingested.ts'
import type { Tables } from './tables.ts'

export function subscriptions(deps: Deps): Subscription<Tables>[] {
  return [
    onBatch(
      recordsIngested,
      (trx, events) => storeIngested(deps, trx, events),
      ({ data }) => faultOfIngested(data),
    ),
  ]
}
