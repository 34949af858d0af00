import type { Event } from '@tapeline/contracts/event'
import type { UsageStreamDelivered } from '@tapeline/contracts/usage/events'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { ensureDays } from '../rollups/ensure-days.ts'
import { floorTo } from '../rollups/roll-up.ts'
import type { Tables } from '../tables.ts'
import { addStreamSums, insertStreams, type StreamSum } from './stream-usage-queries.ts'

export const SUM_LEVELS = ['quarter_hour', 'hour', 'day'] as const
type StreamEvent = Event<UsageStreamDelivered>

/** Stores the rows of a batch and adds the new ones to the sums. Idempotent: a row is new when its event id is. */
export async function recordStreams(
  deps: Pick<Deps, 'db'>,
  trx: Transaction<Tables>,
  events: readonly StreamEvent[],
): Promise<void> {
  const byId = new Map(events.map((event) => [event.id.toLowerCase(), event]))
  await ensureDays(
    deps.db,
    events.map(({ time }) => Date.parse(time)),
  )
  const newIds = await insertStreams(trx, [...byId.values()])
  const added = [...byId].filter(([id]) => newIds.has(id)).map(([, event]) => event)
  if (added.length > 0) await addStreamSums(trx, sumsOf(added))
}

/** In the order of the primary key, so that concurrent transactions cannot deadlock. */
function sumsOf(events: readonly StreamEvent[]): StreamSum[] {
  const sums = new Map<string, StreamSum>()
  for (const { time, data } of events) {
    const { account_id, key_id, opened, messages, bytes_in, bytes_out, open_ms } = data
    for (const level of SUM_LEVELS) {
      const bucketMs = floorTo(level, Date.parse(time))
      const name = `${account_id}\0${level}\0${bucketMs}\0${key_id}`
      const none = { connections: 0, messages: 0, bytes_in: 0, bytes_out: 0, open_ms: 0 }
      const sum = sums.get(name) ?? { account_id, level, bucketMs, key_id, ...none }
      sums.set(name, sum)
      sum.connections += Number(opened)
      sum.messages += messages
      sum.bytes_in += bytes_in
      sum.bytes_out += bytes_out
      sum.open_ms += open_ms
    }
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}
