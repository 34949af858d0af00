import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { FLAGS, type L2Record } from '../../store/record.ts'
import { levelsOf } from '../../venues/venue-levels.ts'
import { createGapEnds } from '../../venues/gap-ends.ts'
import type { FileRun } from '../kind.ts'
import { count } from '../summary.ts'

export type BookMessage = {
  type: 'snapshot' | 'update'
  sourceId: string
  tsEvent: string
  tsRecv: string
  bids: string[][]
  asks: string[][]
  flags?: number
}

const NOTHING = { depthLimit: null, venueFirstId: null, venueLastId: null, venuePrevId: null }

/** Stores the messages of one book while it is valid: from a snapshot on, until `invalidate`. */
export function createBookWriter(run: FileRun, instrument: InstrumentSpec) {
  const gapEnds = createGapEnds()
  const write = (record: L2Record) => run.l2Event(instrument, gapEnds.take(record))
  let isValid = false
  let last: Pick<BookMessage, 'tsEvent' | 'tsRecv'> | undefined
  let unused = 0

  function invalidate({ tsEvent, tsRecv }: Pick<BookMessage, 'tsEvent' | 'tsRecv'>, reason: string): void {
    if (!isValid) return
    isValid = false
    const gap = { reason, fromTs: last?.tsEvent ?? null }
    const start = { sourceId: `g${tsRecv}`, type: 'gap', tsEvent, tsRecv } as const
    write({ ...NOTHING, ...start, bids: [], asks: [], flags: FLAGS.replayed, gap })
  }

  return {
    /** Stores one gap instead of the message, then nothing until the next snapshot. */
    invalidate,
    /** Called when a rejected line may have belonged to this book. */
    loseLine(): void {
      if (last !== undefined) invalidate(last, 'rows_refused')
    },
    write(message: BookMessage): void {
      if (message.type === 'snapshot') isValid = true
      if (!isValid) {
        unused += 1
        return
      }
      write(recordOf(message))
      last = message
    },
    end(): void {
      if (unused === 0) return
      run.note(`${instrument.symbol}: ${count(unused)} updates without a snapshot before them were not stored`)
    },
  }
}

type Written = { writer: ReturnType<typeof createBookWriter> }

/** A rejected line may belong to any of the books, so all of them wait for a snapshot. */
export function invalidateBooksOnRejection(run: FileRun, markets: ReadonlyMap<string, Written>): FileRun {
  return {
    ...run,
    refuse(line, reason) {
      for (const { writer } of markets.values()) writer.loseLine()
      run.refuse(line, reason)
    },
  }
}

function recordOf({ type, sourceId, tsEvent, tsRecv, bids, asks, flags = 0 }: BookMessage): L2Record {
  return {
    ...NOTHING,
    sourceId,
    type,
    tsEvent,
    tsRecv,
    bids: levelsOf(bids, 'bids'),
    asks: levelsOf(asks, 'asks'),
    flags: FLAGS.replayed | flags,
    gap: null,
  }
}
