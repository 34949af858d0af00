import type { Event } from '@tapeline/contracts/event'
import type { Transaction } from 'kysely'
import type { Parsed, Parser } from '../parse-message.ts'
import type { Subscription } from '../subscription.ts'
import { beginSpans } from '../trace-events.ts'

/** Parses a message for these subscriptions. An event with impossible content is dead-lettered, too. */
export function parseFor<Tables>(
  parser: Parser | undefined,
  subscriptions: readonly Subscription<Tables>[],
  value: Buffer | null,
): Parsed {
  const parsed = parser?.(value) ?? { ignored: true as const }
  if (!('event' in parsed)) return parsed
  for (const { definition, faultOf } of subscriptions) {
    const fault = definition.type === parsed.event.type ? faultOf?.(parsed.event) : undefined
    if (fault !== undefined) return { poison: fault }
  }
  return parsed
}

/** To be called before the transaction that applies the events. */
export async function prepareEvents<Tables>(
  subscriptions: readonly Subscription<Tables>[],
  events: readonly Event<unknown>[],
): Promise<void> {
  for (const { definition, prepare } of subscriptions) {
    if (prepare === undefined) continue
    const own = events.filter(({ type }) => type === definition.type)
    if (own.length > 0) await prepare(own)
  }
}

/** Applies events in order; consecutive events of one type are applied together. */
export async function applyEvents<Tables>(
  subscriptions: readonly Subscription<Tables>[],
  trx: Transaction<Tables>,
  events: readonly Event<unknown>[],
): Promise<void> {
  let from = 0
  while (from < events.length) {
    const type = events[from]?.type
    let to = from + 1
    while (to < events.length && events[to]?.type === type) to += 1
    const run = events.slice(from, to)
    const spans = beginSpans(run)
    try {
      for (const { definition, apply } of subscriptions) if (definition.type === type) await apply(trx, run)
    } finally {
      spans.end()
    }
    from = to
  }
}
