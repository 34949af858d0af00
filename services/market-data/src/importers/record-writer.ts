import type { InstrumentSpec } from '../instruments/instrument.ts'
import { registerInstrument } from '../instruments/register-instrument.ts'
import { storeWithLake } from '../lake/sealing/store-late-data.ts'
import type { L2Record, RecordBatch, TradeRecord } from '../store/record.ts'
import { closeFilledGaps, fillTradeGaps, insertTradeGaps } from '../store/trade-gap-queries.ts'
import { createDirectDays } from './direct-days.ts'
import type { ImportDeps } from './kind.ts'
import { createTradeIds, type TradeIds } from './trade-ids.ts'

type RecordChunk = { spec: InstrumentSpec; trades: TradeRecord[]; l2Events: L2Record[]; tradeIds: TradeIds | undefined }
export type RecordCounts = { trades: number; l2Events: number }

/** Rows that are stored in one transaction. */
const CHUNK_ROWS = 20_000
const PASS_ROWS = 4_096

/**
 * Collects records and stores them in portions, those of complete past days in the lake; `added` is valid after `finish`.
 */
export function createRecordWriter(deps: ImportDeps, options: { hasConsecutiveTradeIds: boolean }) {
  const ids = new Map<string, number>()
  const found: RecordCounts & { gaps: number } = { trades: 0, l2Events: 0, gaps: 0 }
  const added: RecordCounts = { trades: 0, l2Events: 0 }
  const direct = createDirectDays(deps, added)
  const hot = createHotRecords(deps, added)
  const chunks = createChunks(options.hasConsecutiveTradeIds)
  let rows = 0

  async function idOf(spec: InstrumentSpec): Promise<number> {
    const key = `${spec.venue}:${spec.symbol}`
    const id = ids.get(key) ?? (await registerInstrument(deps.db, spec))
    ids.set(key, id)
    return id
  }

  /** Records for the lake become columns at once, because many live objects make garbage collections slow. */
  async function pass(): Promise<void> {
    for (const { spec, trades, l2Events } of chunks.take()) {
      const others = await direct.take({ instrumentId: await idOf(spec), trades, l2Events })
      hot.add(others)
    }
    rows = 0
  }

  async function drain(): Promise<void> {
    await pass()
    if (hot.rows() >= CHUNK_ROWS) await hot.store()
  }

  return {
    found,
    added,
    instruments: (): string[] => [...ids.keys()].toSorted(),
    /** Ends the records. */
    flush: (): Promise<void> => pass().then(() => hot.store()),
    /** Resolves when all flushed records are stored. */
    finish: async (): Promise<void> => {
      await direct.finish()
      for (const [spec, tradeIds] of chunks.tradeIds()) await recordGaps(deps.pool, await idOf(spec), tradeIds)
    },
    missingTrades: (): number => countMissing(chunks.tradeIds()),
    trade: (spec: InstrumentSpec, trade: TradeRecord): void => {
      const chunk = chunks.of(spec)
      chunk.trades.push(trade)
      chunk.tradeIds?.add(trade)
      found.trades += 1
      rows += 1
    },
    l2Event: (spec: InstrumentSpec, event: L2Record): void => {
      chunks.of(spec).l2Events.push(event)
      found.l2Events += 1
      if (event.type === 'gap') found.gaps += 1
      rows += 1
    },
    drain: async (): Promise<void> => (rows >= PASS_ROWS ? drain() : undefined),
  }
}

/** Records by instrument since they were last taken, and the trade ids of all. */
function createChunks(hasConsecutiveTradeIds: boolean) {
  const idsByName = new Map<string, [InstrumentSpec, TradeIds]>()
  let bySpec = new Map<InstrumentSpec, RecordChunk>()
  let byName = new Map<string, RecordChunk>()

  function tradeIdsOf(name: string, spec: InstrumentSpec): TradeIds | undefined {
    if (!hasConsecutiveTradeIds) return undefined
    const [, tradeIds] = idsByName.get(name) ?? [spec, createTradeIds()]
    idsByName.set(name, [spec, tradeIds])
    return tradeIds
  }

  return {
    of(spec: InstrumentSpec): RecordChunk {
      const found = bySpec.get(spec)
      if (found !== undefined) return found
      const name = `${spec.venue}:${spec.symbol}`
      const tradeIds = tradeIdsOf(name, spec)
      const chunk = byName.get(name) ?? { spec, trades: [], l2Events: [], tradeIds }
      byName.set(name, chunk)
      bySpec.set(spec, chunk)
      return chunk
    },
    take(): RecordChunk[] {
      const taken = [...byName.values()]
      bySpec = new Map()
      byName = new Map()
      return taken
    },
    tradeIds: () => [...idsByName.values()],
  }
}

function countMissing(all: readonly [InstrumentSpec, TradeIds][]): number {
  return all.flatMap(([, tradeIds]) => tradeIds.gaps()).reduce((sum, { missing }) => sum + missing, 0)
}

async function recordGaps(pool: ImportDeps['pool'], instrumentId: number, tradeIds: TradeIds): Promise<void> {
  for (const run of tradeIds.runs()) await fillTradeGaps(pool, instrumentId, run)
  const gaps = tradeIds.gaps()
  const [first, last] = [gaps[0], gaps.at(-1)]
  if (first === undefined || last === undefined) return
  await insertTradeGaps(pool, instrumentId, gaps)
  // Another source may have stored the trades that are missing in this file.
  await closeFilledGaps(pool, instrumentId, { from: first.fromTs, to: last.toTs })
}

/** Records for PostgreSQL. */
function createHotRecords(deps: ImportDeps, added: RecordCounts) {
  let batches: RecordBatch[] = []
  return {
    add(batch: RecordBatch): void {
      if (batch.trades.length + batch.l2Events.length > 0) batches.push(batch)
    },
    rows: () => batches.reduce((sum, { trades, l2Events }) => sum + trades.length + l2Events.length, 0),
    async store(): Promise<void> {
      if (batches.length === 0) return
      const joined = joinBatches(batches)
      batches = []
      const stored = await deps.inTurn(() => storeWithLake(deps, joined))
      added.trades += stored.trades
      added.l2Events += stored.l2Events
    },
  }
}

/** One batch for each instrument. */
function joinBatches(batches: readonly RecordBatch[]): RecordBatch[] {
  return [...Map.groupBy(batches, ({ instrumentId }) => instrumentId)].map(([instrumentId, parts]) => ({
    instrumentId,
    trades: parts.flatMap(({ trades }) => trades),
    l2Events: parts.flatMap(({ l2Events }) => l2Events),
  }))
}
