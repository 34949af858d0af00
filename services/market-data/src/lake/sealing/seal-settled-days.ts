import type { Deps } from '../../deps.ts'
import { dayStart, nanosecondsOf } from '../../nanoseconds.ts'
import { listPartitions } from '../../store/partition-queries.ts'
import type { ChannelName } from '../../tables.ts'
import { listSealableInstruments } from './seal-queries.ts'
import { type SealOutcome, sealDay } from './seal-day.ts'

const CHANNELS: readonly ChannelName[] = ['trade', 'l2_event']
/** Late data usually arrives within a day. */
export const SETTLED_NS = 86_400_000_000_000n
/** Keeps one run of the job short; the next run continues. */
const DAYS_PER_RUN = 200

type Outcomes = Record<SealOutcome, number>

/** Seals the days that ended more than 24 hours before the time up to which their channel is complete. */
export async function sealSettledDays(deps: Deps): Promise<Outcomes> {
  const failures: Error[] = []
  const outcomes: Outcomes = { sealed: 0, 'sealed already': 0, empty: 0, changed: 0 }
  const before = nanosecondsOf(deps.now())
  let days = 0
  for (const channel of CHANNELS) {
    for (const { name, day } of await listPartitions(deps.pool, channel)) {
      if (dayStart(day + 1) + SETTLED_NS > before) continue
      const settled = { channel, partition: name, day, settledNs: SETTLED_NS, before }
      for (const instrumentId of await listSealableInstruments(deps.pool, settled)) {
        try {
          outcomes[await sealDay(deps, { instrumentId, channel, day })] += 1
        } catch (error) {
          failures.push(error instanceof Error ? error : new Error(String(error)))
        }
        days += 1
        if (days === DAYS_PER_RUN) return end(outcomes, failures)
      }
    }
  }
  return end(outcomes, failures)
}

/** A day that cannot be sealed must not prevent the others from being sealed. */
function end(outcomes: Outcomes, failures: Error[]): Outcomes {
  if (failures.length === 0) return outcomes
  throw new AggregateError(failures, failures.map(({ message }) => message).join('; '))
}
