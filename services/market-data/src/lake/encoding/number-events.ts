import { dayStart } from '../../nanoseconds.ts'
import { L2_TYPE_LETTERS } from '../../store/copy-queries.ts'
import { AT, type FileRow, SOURCE_ID_AT } from '../files/layout.ts'
import { numberRows, orderRows } from './order-rows.ts'

export const EVENT_AT = { type: 4, epoch: 5, gapReason: 13, gapFrom: 14 } as const

export type EventsOfDay = {
  day: number
  /** Rows that are already in the sealed file. */
  stored: readonly FileRow[]
  /** New rows in the order of their arrival, not numbered. */
  fresh: readonly FileRow[]
  lastSequence: bigint
  bookEpoch: number
}
export type NumberedEvents = { rows: FileRow[]; added: FileRow[]; epochs: number }

/**
 * Assigns sequences and book epochs to the new rows, and returns all rows of the day in the order of its file. Snapshot,
 * clear and gap begin a new epoch.
 */
export function numberEvents({ day, stored, fresh, lastSequence, bookEpoch }: EventsOfDay): NumberedEvents {
  const all = [...stored, ...fresh]
  const start = dayStart(day)
  const times = Float64Array.from(all, (row) => Number(BigInt(row[AT.tsEvent] ?? '') - start))
  const order = orderRows(
    times,
    all.map((row) => row[SOURCE_ID_AT.l2_event] ?? ''),
  )
  const storedSequences = BigInt64Array.from(stored, (row) => BigInt(row[AT.sequence] ?? ''))
  const sequences = numberRows({ rows: all.length, stored: storedSequences, order, lastSequence })
  const added: FileRow[] = []
  let epoch = bookEpoch
  const numbered = all.map((row, position): FileRow => {
    const sequence = sequences[position] ?? 0n
    if (position < stored.length || sequence === 0n) return row
    if (row[EVENT_AT.type] !== L2_TYPE_LETTERS.update) epoch += 1
    const one = row.with(AT.sequence, String(sequence)).with(EVENT_AT.epoch, String(epoch))
    added.push(one)
    return one
  })
  const rows = order === undefined ? numbered : Array.from(order, (position) => numbered[position] ?? [])
  return { rows, added, epochs: epoch - bookEpoch }
}
