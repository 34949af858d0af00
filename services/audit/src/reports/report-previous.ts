import type { PreviousUsage } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { type Buckets, previousPeriod, rfc3339 } from './period-buckets.ts'
import type { AskedPeriod } from './read-period.ts'
import type { UsageFilter } from './report-queries.ts'
import { floorTo, LEVEL_MS } from '../rollups/roll-up.ts'
import { percentilesOf } from './usage-totals.ts'
import { totalOfPeriod } from './total-usage.ts'

type Zoned = Temporal.ZonedDateTime

/** Totals of the preceding period of the same length. */
export async function reportPrevious(
  deps: Pick<Deps, 'db' | 'now' | 'retention'>,
  period: AskedPeriod,
  buckets: Buckets,
  filter: UsageFilter,
): Promise<PreviousUsage> {
  const previous = previousPeriod(period, buckets)
  const [from, to] = [onEdge(deps, previous.from), onEdge(deps, previous.to)]
  const edgesMs = [from.epochMilliseconds, to.epochMilliseconds]
  const { counts, latency } = await totalOfPeriod(deps.db, { filter, edgesMs, withLatency: true })
  return { from: rfc3339(from), to: rfc3339(to), ...counts, latency_ms: percentilesOf(latency) }
}

/** A whole minute; a whole quarter of an hour past the retention of the sums per minute. */
function onEdge({ now, retention }: Pick<Deps, 'now' | 'retention'>, time: Zoned): Zoned {
  const keptMs = floorTo('day', now().getTime() - retention.rowDays * LEVEL_MS.day)
  const edgeMs = floorTo(time.epochMilliseconds < keptMs ? 'quarter_hour' : 'minute', time.epochMilliseconds)
  return Temporal.Instant.fromEpochMilliseconds(edgeMs).toZonedDateTimeISO(time.timeZoneId)
}
