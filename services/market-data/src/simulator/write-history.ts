import type { Deps } from '../deps.ts'
import { storeWithLake } from '../lake/sealing/store-late-data.ts'
import type { RecordBatch } from '../store/record.ts'
import { storeRecords } from '../store/store-records.ts'
import type { Market } from './markets.ts'
import { beginning, planRange } from './plan-range.ts'
import type { Random } from './random.ts'
import { recordsBetween, type SecondRange } from './records-between.ts'
import { findPosition, savePositionOn } from './simulator-queries.ts'

export type HistoryOptions = { random: Random; markets: readonly Market[]; historySeconds: number; signal: AbortSignal }

/** Two hours of one instrument in one transaction: enough to be quick, little enough to stay small. */
const STEPS_MAX = 360

/**
 * Fills the time before the first live second, in the order of time, straight into the store. Rows and position are
 * one transaction, so that a killed process resumes. Returns the number of records.
 */
export async function writeHistory(deps: Deps, options: HistoryOptions): Promise<number> {
  const { random, markets, historySeconds, signal } = options
  let written = 0
  for (let wasBehind = true; wasBehind && !signal.aborted;) {
    wasBehind = false
    for (const market of markets) {
      const range = await nextRange(deps, market, historySeconds)
      if (range === undefined) continue
      wasBehind = true
      const { trades, l2Events } = recordsBetween(random, market, range)
      await storeRange(deps, { instrumentId: market.instrumentId, trades, l2Events }, range)
      written += trades.length + l2Events.length
    }
  }
  return written
}

/** Undefined if the instrument is live already, or close enough to continue live. */
async function nextRange(
  { db, now }: Deps,
  { instrumentId }: Market,
  historySeconds: number,
): Promise<SecondRange | undefined> {
  const position = await findPosition(db, instrumentId)
  if (position?.isLive === true) return undefined
  const nowSecond = Math.floor(now().getTime() / 1000)
  const latest = position?.latest ?? beginning(nowSecond, historySeconds)
  const range = planRange({ latest, nowSecond, historySeconds, stepsMax: STEPS_MAX })
  return range?.step === 1 && position !== undefined ? undefined : range
}

async function storeRange(deps: Deps, batch: RecordBatch, range: SecondRange): Promise<void> {
  await storeWithLake(deps, [batch], (fresh) => async (client) => {
    const stored = await storeRecords(client, fresh, { isOrdered: true })
    await savePositionOn(client, batch.instrumentId, { ...range, isLive: false })
    return stored
  })
}
