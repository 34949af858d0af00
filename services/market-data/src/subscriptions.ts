import type { Event } from '@tapeline/contracts/event'
import { recordsIngested, venueRecordsIngested } from '@tapeline/contracts/market-data/events'
import { onBatch, type Subscription } from '@tapeline/events/subscription'
import type { Deps } from './deps.ts'
import {
  faultOfIngested,
  type Ingested,
  type IngestedOptions,
  type OnStored,
  prepareToStore,
  storeIngested,
  storeVenueIngested,
  type VenueIngested,
} from './store/store-ingested.ts'
import type { Tables } from './tables.ts'

/** `onStored` is called before the commit, with what will then be stored. */
export function subscriptions(deps: Deps, onStored?: OnStored): Subscription<Tables>[] {
  const { prepare, nextOpeningsOf } = createPreparation(deps)
  const optionsOf = (events: readonly object[]): IngestedOptions => ({ onStored, ...nextOpeningsOf(events) })
  return [
    onBatch(
      recordsIngested,
      (trx, events) => storeIngested(deps, trx, events, optionsOf(events)),
      ({ data }) => faultOfIngested(data),
      prepare,
    ),
    onBatch(
      venueRecordsIngested,
      (trx, events) => storeVenueIngested(deps, trx, events, optionsOf(events)),
      ({ data }) => faultOfIngested(data),
      prepare,
    ),
  ]
}

/** Keeps what was found for events until they are stored, together or in parts. */
function createPreparation(deps: Deps) {
  const found = new WeakMap<object, ReadonlyMap<number, string>>()
  return {
    prepare: async (events: Event<Ingested | VenueIngested>[]): Promise<void> => {
      const nextOpenings = await prepareToStore(deps, events)
      for (const event of events) found.set(event, nextOpenings)
    },
    nextOpeningsOf: ([first]: readonly object[]): Pick<IngestedOptions, 'nextOpenings'> => {
      const nextOpenings = first && found.get(first)
      return nextOpenings === undefined ? {} : { nextOpenings }
    },
  }
}
