import { FLAGS, type L2Record, type Level } from '../store/record.ts'

export type Quote = {
  sourceId: string
  tsEvent: string
  tsRecv: string
  bid: Level | undefined
  ask: Level | undefined
}

/** A quote is a whole book of depth 1: a snapshot, so that nothing before it is needed to read it. */
export function quoteRecord({ sourceId, tsEvent, tsRecv, bid, ask }: Quote, flags = 0): L2Record {
  return {
    sourceId,
    tsEvent,
    tsRecv,
    type: 'snapshot',
    bids: bid === undefined ? [] : [bid],
    asks: ask === undefined ? [] : [ask],
    depthLimit: 1,
    venueFirstId: null,
    venueLastId: null,
    venuePrevId: null,
    flags: FLAGS.replayed | flags,
    gap: null,
  }
}
