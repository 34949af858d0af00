import type { Event, EventDefinition } from '@tapeline/contracts/event'
import type { Transaction } from 'kysely'
import type { Static, TSchema } from 'typebox'

/** Handles events of one type in the transaction that also moves the offset. */
export type Subscription<Tables> = {
  definition: EventDefinition
  apply: (trx: Transaction<Tables>, events: Event<unknown>[]) => Promise<void>
  /** Reason why a well-formed event is impossible, if it is: the event becomes a dead letter. */
  faultOf?: (event: Event<unknown>) => string | undefined
  /**
   * Work on other connections that the events need, done before their transaction begins: inside of it, that work could
   * wait for a lock of the transaction itself. Idempotent; the events may have been applied before.
   */
  prepare?: (events: Event<unknown>[]) => Promise<void>
}

/** Subscribes a verb to one event at a time. It must be idempotent. */
export function on<Tables, T extends TSchema>(
  definition: EventDefinition<T>,
  apply: (trx: Transaction<Tables>, event: Event<Static<T>>) => Promise<void>,
): Subscription<Tables> {
  return {
    definition,
    async apply(trx, events) {
      // The consumer has validated each event's data against the definition.
      for (const event of events) await apply(trx, event as Event<Static<T>>)
    },
  }
}

/** Subscribes a verb to whole batches, for consumers that write many rows. */
export function onBatch<Tables, T extends TSchema>(
  definition: EventDefinition<T>,
  apply: (trx: Transaction<Tables>, events: Event<Static<T>>[]) => Promise<void>,
  faultOf: (event: Event<Static<T>>) => string | undefined = () => undefined,
  prepare?: (events: Event<Static<T>>[]) => Promise<void>,
): Subscription<Tables> {
  return {
    definition,
    apply: (trx, events) => apply(trx, events as Event<Static<T>>[]),
    faultOf: (event) => faultOf(event as Event<Static<T>>),
    ...(prepare === undefined ? {} : { prepare: (events) => prepare(events as Event<Static<T>>[]) }),
  }
}
