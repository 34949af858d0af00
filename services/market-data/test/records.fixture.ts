import type { L2Record, TradeRecord } from '../src/store/record.ts'

/** A trade as a connector would pass it on; override the fields that the test is about. */
export function someTrade(sourceId: string, tsEvent: bigint | string, fields: Partial<TradeRecord> = {}): TradeRecord {
  const time = String(tsEvent)
  return {
    sourceId,
    hasTradeId: true,
    tsEvent: time,
    tsRecv: time,
    price: '61837.63',
    size: '0.5',
    side: 'buy',
    sideSource: 'venue',
    flags: 0,
    conditions: [],
    ...fields,
  }
}

/** A message about a book; a gap has a reason, the others levels. */
export function someL2Event(sourceId: string, tsEvent: bigint | string, fields: Partial<L2Record> = {}): L2Record {
  const time = String(tsEvent)
  const isGap = fields.type === 'gap'
  return {
    sourceId,
    type: 'update',
    tsEvent: time,
    tsRecv: time,
    bids: isGap
      ? []
      : [
          ['10', '1'],
          ['9', '2'],
          ['8', '3'],
        ],
    asks: isGap
      ? []
      : [
          ['11', '1'],
          ['12', '0'],
          ['13', '3'],
        ],
    depthLimit: null,
    venueFirstId: null,
    venueLastId: null,
    venuePrevId: null,
    flags: 0,
    gap: isGap ? { reason: 'update_ids_missing', fromTs: time } : null,
    ...fields,
  }
}
