import type { Event } from '@tapeline/contracts/event'
import type { IngestedL2Event, IngestedTrade, recordsIngested } from '@tapeline/contracts/market-data/events'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import { canonicalDecimal } from '../decimal.ts'
import type { Deps } from '../deps.ts'
import { openSealedDays } from '../lake/sealing/store-late-data.ts'
import type { Tables } from '../tables.ts'
import type { L2Record, Level, RecordBatch, SideSource, TradeRecord } from './record.ts'
import { ensurePartitions, storeRecords } from './store-records.ts'

export type Ingested = Static<(typeof recordsIngested)['data']>

const SIDE_SOURCES: readonly string[] = ['venue', 'maker_inverted', 'estimated', 'none'] satisfies SideSource[]
const NANOSECONDS_DIGITS_MAX = 19

/** Safe to run twice: records that are stored already are told by their source id. */
export async function storeIngested(deps: Deps, trx: Transaction<Tables>, events: Event<Ingested>[]): Promise<void> {
  const ids = new Map((await deps.instruments.list()).map((one) => [`${one.venue}:${one.symbol}`, one.instrumentId]))
  const groups = Map.groupBy(events, ({ data }) => `${data.venue}:${data.symbol}`)
  const batches = [...groups].map(([name, group]): RecordBatch => {
    const instrumentId = ids.get(name)
    if (instrumentId === undefined) throw new Error(`there is no instrument ${name}`)
    return {
      instrumentId,
      trades: group.flatMap(({ data }) => data.trades.map(tradeOf)),
      l2Events: group.flatMap(({ data }) => data.l2_events.map(l2EventOf)),
    }
  })
  const fresh = await openSealedDays(deps, batches)
  await ensurePartitions(deps.pool, fresh)
  await storeRecords(await deps.clientOf(trx), fresh, { isOrdered: true })
}

/** What the schema cannot say; such an event becomes a dead letter. */
export function faultOfIngested({ trades, l2_events }: Ingested): string | undefined {
  if (trades.some(({ source_id, trade_id }) => trade_id !== null && trade_id !== source_id)) {
    return 'a trade id differs from the source id'
  }
  if (trades.some(({ side_source }) => !SIDE_SOURCES.includes(side_source))) return 'an unknown side_source'
  const times = [...trades, ...l2_events].flatMap(({ ts_event, ts_recv }) => [ts_event, ts_recv])
  if (times.some((time) => time.length > NANOSECONDS_DIGITS_MAX)) return 'a time after 2262'
  return undefined
}

function tradeOf({
  source_id,
  ts_event,
  ts_recv,
  price,
  size,
  side,
  side_source,
  trade_id,
}: IngestedTrade): TradeRecord {
  return {
    sourceId: source_id,
    hasTradeId: trade_id !== null,
    tsEvent: ts_event,
    tsRecv: ts_recv,
    price: canonical(price),
    size: canonical(size),
    side,
    // Checked in faultOfIngested.
    sideSource: side_source as SideSource,
    flags: 0,
    conditions: [],
  }
}

function l2EventOf({ source_id, ts_event, ts_recv, type, bids, asks, ...venue }: IngestedL2Event): L2Record {
  return {
    sourceId: source_id,
    tsEvent: ts_event,
    tsRecv: ts_recv,
    type,
    bids: bids.map(levelOf),
    asks: asks.map(levelOf),
    depthLimit: null,
    venueFirstId: venue.venue_first_id,
    venueLastId: venue.venue_last_id,
    venuePrevId: venue.venue_prev_id,
    flags: 0,
    gap: null,
  }
}

function levelOf([price, size]: readonly [string, string]): Level {
  return [canonical(price), canonical(size)]
}

/** The schema let only decimals through. */
function canonical(text: string): string {
  return canonicalDecimal(text) ?? text
}
