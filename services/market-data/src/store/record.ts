export type Side = 'buy' | 'sell' | 'unknown'
export type SideSource = 'venue' | 'maker_inverted' | 'estimated' | 'none'
export type L2Type = 'snapshot' | 'update' | 'clear' | 'gap'
/** Price and size as canonical decimals. */
export type Level = readonly [string, string]

/** One trade before it is stored; times are nanosecond digits, decimals canonical. */
export type TradeRecord = {
  sourceId: string
  /** Whether the source id is the venue's trade id, or only a position in a file. */
  hasTradeId: boolean
  tsEvent: string
  tsRecv: string
  price: string
  size: string
  side: Side
  sideSource: SideSource
  flags: number
  /** Words without blanks. */
  conditions: string[]
}

/** One atomic message about a book before it is stored. */
export type L2Record = {
  sourceId: string
  tsEvent: string
  tsRecv: string
  type: L2Type
  /** Best first. */
  bids: readonly Level[]
  asks: readonly Level[]
  depthLimit: number | null
  venueFirstId: string | null
  venueLastId: string | null
  venuePrevId: string | null
  flags: number
  /** Of a gap; of a snapshot: the gap that ends with it. */
  gap: { reason: string; fromTs: string | null } | null
}

/** Trades that were not received: `missing` of the ids from `fromId` to `toId`, between trades at `fromTs` and `toTs`. */
export type TradeGap = { fromId: number; toId: number; missing: number; fromTs: string; toTs: string }

export type RecordBatch = { instrumentId: number; trades: readonly TradeRecord[]; l2Events: readonly L2Record[] }

/** Bits of `flags`, in the words of the contract. */
export const FLAGS = { replayed: 1, late: 2, bad_ts_event: 4, bad_ts_recv: 8, off_book: 16 } as const
