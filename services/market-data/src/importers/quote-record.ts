import { FLAGS, type L2Record, type Level } from '../store/record.ts'

type Start = { sourceId: string; tsEvent: string; tsRecv: string }
export type Quote = Start & { bid: Level | undefined; ask: Level | undefined }
export type WholeBook = Start & { bids: Level[]; asks: Level[]; depthLimit: number }

/** A quote is a whole book of depth 1: a snapshot, so that nothing before it is needed to read it. */
export function quoteRecord({ bid, ask, ...start }: Quote, flags = 0): L2Record {
  const [bids, asks] = [bid, ask].map((level) => (level === undefined ? [] : [level]))
  return bookRecord({ ...start, bids: bids ?? [], asks: asks ?? [], depthLimit: 1 }, flags)
}

/** A whole book of limited depth, best first. */
export function bookRecord({ sourceId, tsEvent, tsRecv, bids, asks, depthLimit }: WholeBook, flags = 0): L2Record {
  return {
    sourceId,
    tsEvent,
    tsRecv,
    type: 'snapshot',
    bids,
    asks,
    depthLimit,
    venueFirstId: null,
    venueLastId: null,
    venuePrevId: null,
    flags: FLAGS.replayed | flags,
    gap: null,
  }
}
