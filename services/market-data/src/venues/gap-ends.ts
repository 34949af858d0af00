import type { L2Record } from '../store/record.ts'

export type GapEnds = {
  /** A gap that an earlier process stored has not ended yet. */
  open: (gap: NonNullable<L2Record['gap']>) => void
  /** Returns the record as it is stored. */
  take: (record: L2Record) => L2Record
}

/**
 * A gap ends with the next snapshot, which therefore stores why and since when the book was unknown: the gap event
 * itself is stored when the fault is detected, before its end is known.
 */
export function createGapEnds(): GapEnds {
  let current: L2Record['gap'] = null
  return {
    open: (gap) => (current = gap),
    take(record) {
      if (record.type === 'gap') current ??= record.gap
      if (record.type !== 'snapshot' || current === null) return record
      const gap = current
      current = null
      return gap.fromTs === null ? record : { ...record, gap }
    },
  }
}
