import type { Level } from '../store/record.ts'

/** Levels in the venue's own text, where its checksum covers leading or trailing zeros. */
export type VenueText = { bids: readonly Level[]; asks: readonly Level[] }

/** A full book that the venue sent on request or after a subscription. */
export type BookSnapshot = {
  lastUpdateId: number
  tsEvent: string
  tsRecv: string
  bids: Level[]
  asks: Level[]
  depthLimit: number | null
  checksum?: number | undefined
  venueText?: VenueText
}
/** A change of the book, from update `firstId` to update `lastId`. */
export type BookUpdate = {
  firstId: number
  lastId: number
  /** The last id of the update before; futures and OKX only. */
  previousId?: number | undefined
  tsEvent: string
  tsRecv: string
  bids: Level[]
  asks: Level[]
  checksum?: number | undefined
  venueText?: VenueText
  flags?: number
}
/** The last message that the join applied: a snapshot (`joining`) or an update (`synced`). */
export type Applied = { name: 'joining' | 'synced'; lastId: number }
export type Place = 'next' | 'old' | 'gap'

/** The rule by which the updates of a venue follow each other. */
export type JoinRule = {
  /** False: ids are positions in the connection and are not stored. */
  hasIds: boolean
  placeOf: (update: BookUpdate, applied: Applied) => Place
}
