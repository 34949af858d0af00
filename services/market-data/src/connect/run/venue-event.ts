import { newEvent } from '@tapeline/contracts/event'
import {
  type VenueL2Event,
  venueRecordsIngested,
  type VenueTrade,
  type VenueTradeGap,
} from '@tapeline/contracts/market-data/events'
import type { InstrumentSpec } from '../../instruments/instrument.ts'
import type { L2Record, TradeGap, TradeRecord } from '../../store/record.ts'

export type Batch = {
  instrument: InstrumentSpec
  trades: TradeRecord[]
  l2Events: L2Record[]
  tradeGaps: TradeGap[]
}
/** A Kafka message: records of one instrument, which is its key. */
export type Message = { key: string; value: string }

export function venueMessage(batch: Batch, { id, time }: { id: string; time: Date }): Message {
  const { venue, symbol } = batch.instrument
  const subject = `${venue}:${symbol}`
  const event = newEvent(venueRecordsIngested, {
    id,
    time,
    subject,
    account: null,
    actor: { kind: 'service', service: 'market-data' },
    data: {
      venue,
      symbol,
      trades: batch.trades.map(tradeOf),
      l2_events: batch.l2Events.map(l2EventOf),
      ...(batch.tradeGaps.length === 0 ? {} : { trade_gaps: batch.tradeGaps.map(tradeGapOf) }),
    },
  })
  return { key: subject, value: JSON.stringify(event) }
}

function tradeOf(trade: TradeRecord): VenueTrade {
  return {
    source_id: trade.sourceId,
    ts_event: trade.tsEvent,
    ts_recv: trade.tsRecv,
    price: trade.price,
    size: trade.size,
    side: trade.side,
    side_source: trade.sideSource,
    trade_id: trade.hasTradeId ? trade.sourceId : null,
    flags: trade.flags,
    conditions: trade.conditions,
  }
}

function l2EventOf(event: L2Record): VenueL2Event {
  const { bids, asks, gap } = event
  return {
    source_id: event.sourceId,
    ts_event: event.tsEvent,
    ts_recv: event.tsRecv,
    type: event.type,
    bids: bids.map(([price, size]) => [price, size]),
    asks: asks.map(([price, size]) => [price, size]),
    venue_first_id: event.venueFirstId,
    venue_last_id: event.venueLastId,
    venue_prev_id: event.venuePrevId,
    flags: event.flags,
    depth_limit: event.depthLimit,
    gap: gap === null ? null : { reason: gap.reason, from_ts: gap.fromTs },
  }
}

function tradeGapOf({ fromId, toId, missing, fromTs, toTs }: TradeGap): VenueTradeGap {
  return { from_id: fromId, to_id: toId, missing, from_ts: fromTs, to_ts: toTs }
}
