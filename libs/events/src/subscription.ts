import type { Event, EventDefinition } from '@tapeline/contracts/event'
import type { Transaction } from 'kysely'
import type { Static, TSchema } from 'typebox'

/** Events of one kind and what a service does with them, in the transaction that also moves the offset. */
export type Subscription<Tables> = {
  definition: EventDefinition
  apply: (trx: Transaction<Tables>, events: Event<unknown>[]) => Promise<void>
  /** Why an event of the right shape cannot be true, if so: it becomes a dead letter and spoils no batch. */
  faultOf?: (event: Event<unknown>) => string | undefined
}

/** One event at a time. The verb must be safe to run twice. */
export function on<Tables, T extends TSchema>(
  definition: EventDefinition<T>,
  apply: (trx: Transaction<Tables>, event: Event<Static<T>>) => Promise<void>,
): Subscription<Tables> {
  return {
    definition,
    async apply(trx, events) {
      // The consumer has checked each event's data against the definition.
      for (const event of events) await apply(trx, event as Event<Static<T>>)
    },
  }
}

/** All events of a batch at once, for listeners that write many rows. */
export function onBatch<Tables, T extends TSchema>(
  definition: EventDefinition<T>,
  apply: (trx: Transaction<Tables>, events: Event<Static<T>>[]) => Promise<void>,
  faultOf: (event: Event<Static<T>>) => string | undefined = () => undefined,
): Subscription<Tables> {
  return {
    definition,
    apply: (trx, events) => apply(trx, events as Event<Static<T>>[]),
    faultOf: (event) => faultOf(event as Event<Static<T>>),
  }
}
