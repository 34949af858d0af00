import { flagFlipped } from '@tapeline/contracts/config/events'
import { type Event, newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Deps } from '../deps.ts'
import type { FeatureFlagRow } from '../tables.ts'
import { listFlippedFlags, lockFlipMark, moveFlipMark } from './flip-queries.ts'

const CLOCK = { kind: 'service', service: 'config' } as const

type FlipDeps = Pick<Deps, 'db' | 'now' | 'newId'>

/**
 * Job. Publishes scheduled changes of flags for open pages; servers evaluate schedules themselves. Each flip is
 * published once, including those missed while no process ran: mark and events are one transaction.
 */
export function publishFlagFlips(deps: FlipDeps): Promise<number> {
  return deps.db.transaction().execute(async (trx) => {
    const publishedUntil = await lockFlipMark(trx)
    const now = deps.now()
    if (publishedUntil !== null && now <= publishedUntil) return 0
    await moveFlipMark(trx, now)
    if (publishedUntil === null) return 0
    const rows = await listFlippedFlags(trx, publishedUntil, now)
    const events = rows.flatMap((row) => flipsOf(deps, row, publishedUntil))
    for (const event of events) await recordEvent(trx, event)
    return events.length
  })
}

function flipsOf(deps: Pick<Deps, 'now' | 'newId'>, row: FeatureFlagRow, after: Date): Event<unknown>[] {
  const now = deps.now()
  const { id, key, role, enabled_from: from, enabled_until: until } = row
  const eventOf = (at: Date, isOn: boolean) =>
    newEvent(flagFlipped, {
      id: deps.newId(),
      time: now,
      subject: id,
      account: null,
      actor: CLOCK,
      data: { flag_id: id, flag_key: key, role, is_on: isOn, at: at.toISOString() },
    })
  const isDue = (at: Date | null): at is Date => at !== null && at > after && at <= now
  return [...(isDue(from) ? [eventOf(from, true)] : []), ...(isDue(until) ? [eventOf(until, false)] : [])]
}
