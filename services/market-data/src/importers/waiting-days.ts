import type { DayRecords } from '../lake/encoding/encode-day.ts'
import type { TradeChunk } from '../lake/encoding/trade-chunk.ts'
import { writeSealedDay } from '../lake/sealing/write-sealed-day.ts'
import type { ChannelName } from '../tables.ts'
import type { ImportDeps } from './kind.ts'

export type Chunk = DayRecords['chunks'][number]
export type ChannelDay = { instrumentId: number; channel: ChannelName; day: number }
export type Added = { trades: number; l2Events: number }
type WaitingDay = ChannelDay & { chunks: Chunk[]; bytes: number }

/** Memory of records that wait for the end of their day. Beyond it the largest day is written before its end. */
const WAITING_BYTES_MAX = 384 * 1024 * 1024

/** Collects days and writes each into the lake when all its records have been read; `added` is raised by each. */
export function createWaitingDays(deps: ImportDeps, added: Added) {
  const waiting = new Map<string, WaitingDay>()
  let writing: Promise<void> = Promise.resolve()

  /** Bound of concurrent writes: one day is written while the next one is read. */
  async function write(one: WaitingDay): Promise<void> {
    waiting.delete(keyOf(one))
    await writing
    writing = deps.inTurn(() => writeDay(deps, added, one))
    // The next await of this promise reports the error.
    writing.catch(() => {})
  }

  return {
    add(day: ChannelDay, { chunk, bytes }: { chunk: Chunk; bytes: number }): void {
      const one = waiting.get(keyOf(day)) ?? { ...day, chunks: [], bytes: 0 }
      waiting.set(keyOf(one), one)
      one.chunks.push(chunk)
      one.bytes += bytes
    },
    /** Writes the other days of a channel, because the file has moved past them. */
    async writeOthers({ instrumentId, channel }: Omit<ChannelDay, 'day'>, days: readonly number[]): Promise<void> {
      for (const one of waiting.values()) {
        const isComplete = one.instrumentId === instrumentId && one.channel === channel && !days.includes(one.day)
        if (isComplete) await write(one)
      }
    },
    async limitMemory(): Promise<void> {
      const days = [...waiting.values()].toSorted((one, other) => other.bytes - one.bytes)
      let bytes = days.reduce((sum, one) => sum + one.bytes, 0)
      for (const one of days) {
        if (bytes <= WAITING_BYTES_MAX) return
        bytes -= one.bytes
        await write(one)
      }
    },
    finish: async (): Promise<void> => {
      for (const one of waiting.values()) await write(one)
      await writing
    },
  }
}

function keyOf({ channel, instrumentId, day }: ChannelDay): string {
  return `${channel} ${instrumentId} ${day}`
}

async function writeDay(deps: ImportDeps, added: Added, one: WaitingDay): Promise<void> {
  const { instrumentId, channel, day, chunks } = one
  const written = await writeSealedDay(deps, { instrumentId, day, records: recordsOf(channel, chunks) })
  if (written.outcome === 'hot')
    throw new Error('other rows of an imported day were stored in the meantime: start the import again')
  added[channel === 'trade' ? 'trades' : 'l2Events'] += written.added
}

function recordsOf(channel: ChannelName, chunks: readonly Chunk[]): DayRecords {
  return channel === 'trade'
    ? { channel, chunks: chunks.filter((chunk): chunk is TradeChunk => !(chunk instanceof Uint8Array)) }
    : { channel, chunks: chunks.filter((chunk) => chunk instanceof Uint8Array) }
}
