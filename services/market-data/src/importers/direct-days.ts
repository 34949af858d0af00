import { eventLines } from '../lake/encoding/event-lines.ts'
import { tradeChunk } from '../lake/encoding/trade-chunk.ts'
import { nanosecondsOf } from '../nanoseconds.ts'
import type { RecordBatch } from '../store/record.ts'
import { isDirectDay } from './importer-queries.ts'
import type { ImportDeps } from './kind.ts'
import { splitByDay } from './split-by-day.ts'
import { type Added, type ChannelDay, type Chunk, createWaitingDays } from './waiting-days.ts'

type ChunkOf<T> = (records: readonly T[], day: number) => { chunk: Chunk; bytes: number }

/** Bytes that a trade takes in a chunk. */
const TRADE_BYTES = 64

/** Collects the records of complete past days, which are written straight into the lake; `added` is raised by each. */
export function createDirectDays(deps: ImportDeps, added: Added) {
  const waiting = createWaitingDays(deps, added)
  const cache = new Map<string, boolean>()
  const { lakeBefore } = deps

  async function isDirect(day: ChannelDay, before: Date): Promise<boolean> {
    const key = `${day.channel} ${day.instrumentId} ${day.day}`
    const found = cache.get(key) ?? (await isDirectDay(deps.pool, day, nanosecondsOf(before)))
    cache.set(key, found)
    return found
  }

  /** Returns the records of other days. */
  async function take<T extends { tsEvent: string }>(
    of: Omit<ChannelDay, 'day'>,
    records: readonly T[],
    chunkOf: ChunkOf<T>,
  ): Promise<readonly T[]> {
    if (records.length === 0 || lakeBefore === undefined) return records
    const days = splitByDay(records)
    const others: T[] = []
    for (const [day, part] of days) {
      if (await isDirect({ ...of, day }, lakeBefore)) waiting.add({ ...of, day }, chunkOf(part, day))
      else others.push(...part)
    }
    await waiting.writeOthers(of, [...days.keys()])
    return others
  }

  return {
    async take({ instrumentId, trades, l2Events }: RecordBatch): Promise<RecordBatch> {
      const others = {
        instrumentId,
        trades: await take({ instrumentId, channel: 'trade' }, trades, (records, day) => ({
          chunk: tradeChunk(records, day),
          bytes: records.length * TRADE_BYTES,
        })),
        l2Events: await take({ instrumentId, channel: 'l2_event' }, l2Events, (records) => {
          const chunk = eventLines(records)
          return { chunk, bytes: chunk.length }
        }),
      }
      await waiting.limitMemory()
      return others
    },
    finish: waiting.finish,
  }
}
