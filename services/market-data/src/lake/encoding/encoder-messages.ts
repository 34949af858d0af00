import type { ChannelName } from '../../tables.ts'
import type { WrittenFile } from '../files/write-file.ts'
import type { DayRecords, DayToEncode, EncodedDay } from './encode-day.ts'

export type ToEncoder =
  | { id: number; kind: 'day'; day: DayToEncode }
  /** The rows follow as parts in COPY format, twice. */
  | { id: number; kind: 'rows'; channel: ChannelName }
  /** Undefined ends a pass. */
  | { id: number; kind: 'part'; bytes: Uint8Array | undefined }
  /** No more parts follow. */
  | { id: number; kind: 'abandon' }

export type FromEncoder =
  /** Returns the records, because transferred memory is no longer available to the sender. */
  | { id: number; kind: 'day'; day: EncodedDay; records: DayRecords }
  | { id: number; kind: 'file'; file: WrittenFile }
  | { id: number; kind: 'taken' }
  | { id: number; kind: 'failed'; message: string }
