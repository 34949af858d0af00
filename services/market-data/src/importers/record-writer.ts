import type { InstrumentSpec } from '../instruments/instrument.ts'
import { registerInstrument } from '../instruments/register-instrument.ts'
import { storeWithLake } from '../lake/sealing/store-late-data.ts'
import type { L2Record, TradeRecord } from '../store/record.ts'
import type { ImportDeps } from './kind.ts'

type Portion = { spec: InstrumentSpec; trades: TradeRecord[]; l2Events: L2Record[] }
export type RecordCounts = { trades: number; l2Events: number }

/** Rows that are stored in one transaction. */
const PORTION_ROWS = 20_000

/** Collects records and stores them in portions; `flush` before `added` is read. */
export function createRecordWriter(deps: ImportDeps) {
  const ids = new Map<string, number>()
  const found: RecordCounts & { gaps: number } = { trades: 0, l2Events: 0, gaps: 0 }
  const added: RecordCounts = { trades: 0, l2Events: 0 }
  let portions = new Map<string, Portion>()
  let rows = 0

  function portionOf(spec: InstrumentSpec): Portion {
    const key = `${spec.venue}:${spec.symbol}`
    const known = portions.get(key)
    if (known !== undefined) return known
    const portion = { spec, trades: [], l2Events: [] }
    portions.set(key, portion)
    return portion
  }

  async function idOf(key: string, spec: InstrumentSpec): Promise<number> {
    const id = ids.get(key) ?? (await registerInstrument(deps.db, spec))
    ids.set(key, id)
    return id
  }

  async function flush(): Promise<void> {
    if (rows === 0) return
    const batches = []
    for (const [key, { spec, trades, l2Events }] of portions) {
      batches.push({ instrumentId: await idOf(key, spec), trades, l2Events })
    }
    const stored = await storeWithLake(deps, batches)
    added.trades += stored.trades
    added.l2Events += stored.l2Events
    portions = new Map()
    rows = 0
  }

  return {
    found,
    added,
    instruments: (): string[] => [...ids.keys()].toSorted(),
    flush,
    trade: (spec: InstrumentSpec, trade: TradeRecord): void => {
      portionOf(spec).trades.push(trade)
      found.trades += 1
      rows += 1
    },
    l2Event: (spec: InstrumentSpec, event: L2Record): void => {
      portionOf(spec).l2Events.push(event)
      found.l2Events += 1
      if (event.type === 'gap') found.gaps += 1
      rows += 1
    },
    drain: async (): Promise<void> => (rows >= PORTION_ROWS ? flush() : undefined),
  }
}
