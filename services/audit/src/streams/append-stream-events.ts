import type { Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import { insertStreamEvents, lockScopes, type NewStreamEvent } from './stream-queries.ts'

/** Scope of events that concern the whole platform: they go to every stream. */
export const PLATFORM_SCOPE = '*'

/** Publishes events to the open streams of every process once this transaction commits. */
export async function appendStreamEvents(trx: Transaction<Tables>, events: readonly NewStreamEvent[]): Promise<void> {
  if (events.length === 0) return
  await lockScopes(
    trx,
    events.map(({ scope }) => scope),
  )
  await insertStreamEvents(trx, events)
}
