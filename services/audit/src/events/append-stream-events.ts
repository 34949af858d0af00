import type { Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import { insertStreamEvents, lockScopes, type NewStreamEvent } from './stream-queries.ts'

/** Tells open streams, whichever process holds them, when this transaction is committed. */
export async function appendStreamEvents(trx: Transaction<Tables>, events: readonly NewStreamEvent[]): Promise<void> {
  if (events.length === 0) return
  await lockScopes(
    trx,
    events.map(({ scope }) => scope),
  )
  await insertStreamEvents(trx, events)
}
