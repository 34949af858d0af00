import type { Kysely } from 'kysely'
import type { InstrumentSpec } from '../instruments/instrument.ts'
import type { Stores } from '../lake/reading/list-stored-rows.ts'
import type { L2Record, TradeRecord } from '../store/record.ts'
import type { Tables } from '../tables.ts'
import type { InTurn } from './in-turn.ts'
import type { Head } from './sources/read-head.ts'
import type { Source } from './sources/open-source.ts'

export type Progress = { advance: (bytesRead: number, rows: number) => void }
export type ImportDeps = Stores & {
  db: Kysely<Tables>
  progress: Progress
  /** Days that ended 24 hours before are written straight into the lake; undefined: none is. */
  lakeBefore: Date | undefined
  /** Files are stored one after the other, while the next one is read. */
  inTurn: InTurn
}

/** One file being imported. What is given to `trade` and `l2Event` is stored in portions, at the latest at the end. */
export type FileRun = {
  deps: ImportDeps
  head: Head
  trade: (instrument: InstrumentSpec, trade: TradeRecord) => void
  l2Event: (instrument: InstrumentSpec, event: L2Record) => void
  /** Leaves a line out and reports it; too many of them end the import. */
  refuse: (line: number, reason: string) => void
  /** A line of the summary. */
  note: (text: string) => void
  /** Stores what was given so far once it is a portion. Between two calls memory is not bounded. */
  drain: () => Promise<void>
}

export type ReadFile = (source: Source, run: FileRun) => Promise<void>

/** One kind of file. */
export type Kind = {
  name: string
  description: string
  isLike: (head: Head) => boolean
  /** Trade ids of an instrument have no hole at the venue, so that a hole in a file is a gap. */
  hasConsecutiveTradeIds?: boolean
  /** Throws an ImportProblem for a file that cannot be imported, as far as more than its head shows it. */
  verify?: (source: Source) => Promise<void>
  /** A reader for the files of one command, in their order. */
  createReader: () => ReadFile
}
