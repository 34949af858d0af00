import { recordsIngested, venueRecordsIngested } from '@tapeline/contracts/market-data/events'
import { onBatch, type Subscription } from '@tapeline/events/subscription'
import type { Deps } from './deps.ts'
import {
  faultOfIngested,
  openDaysOf,
  type OnStored,
  storeIngested,
  storeVenueIngested,
} from './store/store-ingested.ts'
import type { Tables } from './tables.ts'

/** `onStored` is called before the commit, with what will then be stored. */
export function subscriptions(deps: Deps, onStored?: OnStored): Subscription<Tables>[] {
  return [
    onBatch(
      recordsIngested,
      (trx, events) => storeIngested(deps, trx, events, onStored),
      ({ data }) => faultOfIngested(data),
      (events) => openDaysOf(deps, events),
    ),
    onBatch(
      venueRecordsIngested,
      (trx, events) => storeVenueIngested(deps, trx, events, onStored),
      ({ data }) => faultOfIngested(data),
      (events) => openDaysOf(deps, events),
    ),
  ]
}
