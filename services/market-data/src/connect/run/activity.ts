import type { FeedReport, VenueInstrument } from '@tapeline/contracts/market-data/venues'
import { formatRfc3339 } from '../../nanoseconds.ts'
import { FLAGS, type L2Record, type TradeRecord } from '../../store/record.ts'
import type { InstrumentOutput, InstrumentState } from '../feed-reader.ts'

const NS_PER_MS = 1_000_000n
const WITHOUT_LAG = FLAGS.late | FLAGS.bad_ts_event

/** The last activity of an instrument. `lag_ms`: from the venue's time to the receipt, clock difference included. */
type InstrumentActivity = Pick<VenueInstrument, 'lag_ms' | 'last_record_at' | 'last_gap'>

/** Tracks the state of a connection for operators. */
export type Activity = {
  opened: () => void
  ended: () => void
  failed: (reason: string) => void
  message: (tsRecv: string) => void
  published: (output: InstrumentOutput) => void
  report: (states: readonly InstrumentState[]) => FeedReport
}

export function createActivity(clock: () => string): Activity {
  const bySymbol = new Map<string, InstrumentActivity>()
  let connection = NOT_CONNECTED
  let error = NO_ERROR
  let messages = 0
  let lastMessage: string | undefined
  const now = () => formatRfc3339(clock())
  const currentActivity = (symbol: string): InstrumentActivity => bySymbol.get(symbol) ?? NO_ACTIVITY
  return {
    opened: () => void (connection = { is_connected: true, connected_at: now() }),
    ended: () => void (connection = NOT_CONNECTED),
    failed: (reason) => void (error = { last_error: reason, last_error_at: now() }),
    message(tsRecv) {
      messages += 1
      lastMessage = tsRecv
    },
    published(output) {
      const { symbol } = output.instrument
      const activity = activityOf(output, currentActivity(symbol))
      if (activity !== undefined) bySymbol.set(symbol, activity)
    },
    report: (states) => ({
      ...connection,
      ...error,
      messages,
      last_message_at: lastMessage === undefined ? null : formatRfc3339(lastMessage),
      instruments: states.map((state) => ({ ...state, ...currentActivity(state.symbol) })),
    }),
  }
}

const NOT_CONNECTED: Pick<FeedReport, 'is_connected' | 'connected_at'> = { is_connected: false, connected_at: null }
const NO_ERROR: Pick<FeedReport, 'last_error' | 'last_error_at'> = { last_error: null, last_error_at: null }
const NO_ACTIVITY: InstrumentActivity = { lag_ms: null, last_record_at: null, last_gap: null }

/** Undefined if the output does not change the activity. */
function activityOf(
  { trades, l2Events }: InstrumentOutput,
  before: InstrumentActivity,
): InstrumentActivity | undefined {
  const gap = l2Events.findLast(({ type }) => type === 'gap')
  const timed = lastTimed(trades) ?? lastTimed(l2Events.filter(({ type }) => type === 'update'))
  if (gap === undefined && timed === undefined) return undefined
  return {
    last_gap: gap === undefined ? before.last_gap : { reason: gap.gap?.reason ?? '', at: formatRfc3339(gap.tsRecv) },
    lag_ms: timed === undefined ? before.lag_ms : lagOf(timed),
    last_record_at: timed === undefined ? before.last_record_at : formatRfc3339(timed.tsRecv),
  }
}

type Timed = Pick<TradeRecord & L2Record, 'tsEvent' | 'tsRecv' | 'flags'>

function lastTimed(records: readonly Timed[]): Timed | undefined {
  return records.findLast(({ flags }) => (flags & WITHOUT_LAG) === 0)
}

function lagOf({ tsEvent, tsRecv }: Timed): number {
  return Number((BigInt(tsRecv) - BigInt(tsEvent)) / NS_PER_MS)
}
