import type { Kysely } from 'kysely'
import type { InstrumentSpec } from '../instruments/instrument.ts'
import type { Stores } from '../lake/reading/list-stored-rows.ts'
import type { L2Record, TradeRecord } from '../store/record.ts'
import type { Tables } from '../tables.ts'
import type { EnqueueTask } from './task-queue.ts'
import type { Head } from './sources/read-head.ts'
import type { Source } from './sources/open-source.ts'

export type Progress = { advance: (bytesRead: number, rows: number) => void }
export type ImportDeps = Stores & {
  db: Kysely<Tables>
  progress: Progress
  /** Days that ended 24 hours before this time are written straight into the lake; undefined: none are. */
  lakeBefore: Date | undefined
  /** Files are stored one after the other, while the next one is read. */
  inTurn: EnqueueTask
}

/** One file being imported. Records passed to `trade` and `l2Event` are stored in portions, the last one at the end. */
export type FileRun = {
  deps: ImportDeps
  head: Head
  trade: (instrument: InstrumentSpec, trade: TradeRecord) => void
  l2Event: (instrument: InstrumentSpec, event: L2Record) => void
  /** Skips a line and reports it; too many skipped lines end the import. */
  refuse: (line: number, reason: string) => void
  /** Adds a line to the summary. */
  note: (text: string) => void
  /** Stores the collected records if they fill a portion. Between two calls memory is not bounded. */
  drain: () => Promise<void>
}

export type ReadFile = (source: Source, run: FileRun) => Promise<void>

/** One kind of file. */
export type Kind = {
  name: string
  description: string
  isLike: (head: Head) => boolean
  /** The venue's trade ids are consecutive per instrument, so that a hole in a file is a gap. */
  hasConsecutiveTradeIds?: boolean
  /** Throws an ImportProblem for a file that cannot be imported, for reasons that its head does not show. */
  verify?: (source: Source) => Promise<void>
  /** A reader for the files of one command, in their order. */
  createReader: () => ReadFile
}
