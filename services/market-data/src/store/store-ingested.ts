import type { Event } from '@tapeline/contracts/event'
import type {
  IngestedL2Event,
  IngestedTrade,
  recordsIngested,
  VenueL2Event,
  venueRecordsIngested,
  VenueTrade,
} from '@tapeline/contracts/market-data/events'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import { canonicalDecimal } from '../decimal.ts'
import type { Deps } from '../deps.ts'
import { findInstrumentId } from '../instruments/instrument-queries.ts'
import { openSealedDays } from '../lake/sealing/store-late-data.ts'
import type { Tables } from '../tables.ts'
import type { L2Record, Level, RecordBatch, SideSource, TradeRecord } from './record.ts'
import { ensurePartitions, storeRecords, type StoreOptions, type StoredSequences } from './store-records.ts'

export type OnStored = (stored: StoredSequences) => void
export type Ingested = Static<(typeof recordsIngested)['data']>
export type VenueIngested = Static<(typeof venueRecordsIngested)['data']>

const SIDE_SOURCES: readonly string[] = ['venue', 'maker_inverted', 'estimated', 'none'] satisfies SideSource[]
const NANOSECONDS_DIGITS_MAX = 19

/** Safe to run twice: records that are stored already are recognised by their source id. */
export async function storeIngested(
  deps: Deps,
  trx: Transaction<Tables>,
  events: Event<Ingested>[],
  onStored?: OnStored,
): Promise<void> {
  await storeBatches(deps, trx, { events, isOrdered: true, onStored })
}

/**
 * Safe to run twice. Trades that were missed arrive late, so that nothing promises that a time is complete.
 */
export async function storeVenueIngested(
  deps: Deps,
  trx: Transaction<Tables>,
  events: Event<VenueIngested>[],
  onStored?: OnStored,
): Promise<void> {
  await storeBatches(deps, trx, { events, isOrdered: false, onStored })
}

type Batches = { events: Event<Ingested | VenueIngested>[] } & StoreOptions

async function storeBatches(deps: Deps, trx: Transaction<Tables>, { events, ...options }: Batches): Promise<void> {
  const ids = new Map((await deps.instruments.list()).map((one) => [`${one.venue}:${one.symbol}`, one.instrumentId]))
  const groups = Map.groupBy(events, ({ data }) => `${data.venue}:${data.symbol}`)
  const batches: RecordBatch[] = []
  for (const [name, group] of groups) {
    batches.push({
      instrumentId: ids.get(name) ?? (await newInstrumentId(deps, group[0]?.data)),
      trades: group.flatMap(({ data }) => data.trades.map(tradeOf)),
      l2Events: group.flatMap(({ data }) => data.l2_events.map(l2EventOf)),
    })
  }
  const fresh = await openSealedDays(deps, batches)
  await ensurePartitions(deps.pool, fresh)
  await storeRecords(await deps.clientOf(trx), fresh, options)
}

/** The list of instruments may be older than the first batch of a new one. */
async function newInstrumentId({ db }: Deps, data: Ingested | VenueIngested | undefined): Promise<number> {
  const { venue = '', symbol = '' } = data ?? {}
  const id = await findInstrumentId(db, venue, symbol)
  if (id === undefined) throw new Error(`there is no instrument ${venue}:${symbol}`)
  return id
}

/** What the schema cannot say; such an event becomes a dead letter. */
export function faultOfIngested({ trades, l2_events }: Ingested | VenueIngested): string | undefined {
  if (trades.some(({ source_id, trade_id }) => trade_id !== null && trade_id !== source_id)) {
    return 'a trade id differs from the source id'
  }
  if (trades.some(({ side_source }) => !SIDE_SOURCES.includes(side_source))) return 'an unknown side_source'
  const times = [...trades, ...l2_events].flatMap(({ ts_event, ts_recv }) => [ts_event, ts_recv])
  if (times.some((time) => time.length > NANOSECONDS_DIGITS_MAX)) return 'a time after 2262'
  return undefined
}

function tradeOf(trade: IngestedTrade | VenueTrade): TradeRecord {
  const { source_id, trade_id, ts_event, ts_recv, price, size, side, side_source } = trade
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
    flags: 'flags' in trade ? trade.flags : 0,
    conditions: 'conditions' in trade ? trade.conditions : [],
  }
}

function l2EventOf(event: IngestedL2Event | VenueL2Event): L2Record {
  const { source_id, ts_event, ts_recv, type, bids, asks } = event
  const gap = 'gap' in event && event.gap !== null ? event.gap : undefined
  return {
    sourceId: source_id,
    tsEvent: ts_event,
    tsRecv: ts_recv,
    type,
    bids: bids.map(levelOf),
    asks: asks.map(levelOf),
    depthLimit: 'depth_limit' in event ? event.depth_limit : null,
    venueFirstId: event.venue_first_id,
    venueLastId: event.venue_last_id,
    venuePrevId: event.venue_prev_id,
    flags: 'flags' in event ? event.flags : 0,
    gap: gap === undefined ? null : { reason: gap.reason, fromTs: gap.from_ts },
  }
}

function levelOf([price, size]: readonly [string, string]): Level {
  return [canonical(price), canonical(size)]
}

/** The schema let only decimals through. */
function canonical(text: string): string {
  return canonicalDecimal(text) ?? text
}
