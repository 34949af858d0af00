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
import type pg from 'pg'
import type { Static } from 'typebox'
import { findNextOpenings } from '../book/find-next-opening.ts'
import { canonicalDecimal } from '../decimal.ts'
import type { Deps } from '../deps.ts'
import { findInstrumentId } from '../instruments/instrument-queries.ts'
import { compareNanoseconds } from '../nanoseconds.ts'
import { openSealedDays } from '../lake/sealing/store-late-data.ts'
import type { Tables } from '../tables.ts'
import { isDroppedMeanwhile } from './partition-queries.ts'
import {
  FLAGS,
  type L2Record,
  type Level,
  type RecordBatch,
  type SideSource,
  type TradeGap,
  type TradeRecord,
} from './record.ts'
import { SERIALIZATION_FAILURE } from './sealed-day-changed.ts'
import { omitStoredTrades } from './omit-stored-trades.ts'
import { ensurePartitions, storeRecords, type StoreOptions, type StoredSequences } from './store-records.ts'
import { closeFilledGaps, insertTradeGaps } from './trade-gap-queries.ts'

export type OnStored = (stored: StoredSequences) => void
/** What is known before the transaction; without next openings, more checkpoints are examined again. */
export type IngestedOptions = Pick<StoreOptions, 'onStored' | 'nextOpenings'>
export type Ingested = Static<(typeof recordsIngested)['data']>
export type VenueIngested = Static<(typeof venueRecordsIngested)['data']>

const SIDE_SOURCES: readonly string[] = ['venue', 'maker_inverted', 'estimated', 'none'] satisfies SideSource[]
const NANOSECONDS_DIGITS_MAX = 19
const LATER = FLAGS.late | FLAGS.replayed

/** Safe to run twice: records that are stored already are recognized by their source id. */
export async function storeIngested(
  deps: Deps,
  trx: Transaction<Tables>,
  events: Event<Ingested>[],
  options: IngestedOptions = {},
): Promise<void> {
  await storeBatches(deps, trx, { ...options, events, isOrdered: true })
}

/**
 * Safe to run twice. Missed trades can arrive late, so no `complete_through` is known.
 */
export async function storeVenueIngested(
  deps: Deps,
  trx: Transaction<Tables>,
  events: Event<VenueIngested>[],
  options: IngestedOptions = {},
): Promise<void> {
  await storeBatches(deps, trx, { ...options, events, isOrdered: false })
}

/**
 * Restores the dropped days of new records before the transaction that stores them: restoring locks the channel on a
 * connection of its own, and would wait for a transaction that has already stored other records of the channel.
 *
 * Returns the next openings of their books. Finding them can take many reads, which would exceed the limit of an idle
 * transaction. They also hold for a part of the events: an opening stays stored, and is after the last of them all.
 */
export async function prepareToStore(
  deps: Deps,
  events: Event<Ingested | VenueIngested>[],
): Promise<ReadonlyMap<number, string>> {
  return findNextOpenings(deps, await openSealedDays(deps, await batchesOf(deps, events)))
}

type Batch = RecordBatch & { tradeGaps: TradeGap[] }
type Batches = { events: Event<Ingested | VenueIngested>[] } & StoreOptions

async function storeBatches(deps: Deps, trx: Transaction<Tables>, { events, ...options }: Batches): Promise<void> {
  const batches = await batchesOf(deps, events)
  // Also restores a day that was dropped since `prepareToStore`; if that waits for this transaction, the batch is repeated.
  const fresh = await openSealedDays(deps, batches)
  await ensurePartitions(deps.pool, fresh)
  const client = await deps.clientOf(trx)
  const needed = []
  for (const batch of fresh) needed.push(await omitStoredTrades(client, batch))
  await storeRecords(client, needed, options).catch((error: unknown) => {
    throw repeatableOf(error)
  })
  for (const batch of batches) await updateTradeGaps(client, batch)
}

/** The repeated transaction creates the partition again. */
function repeatableOf(error: unknown): unknown {
  if (!isDroppedMeanwhile(error)) return error
  const dropped = new Error('a partition was dropped before records were stored in it', { cause: error })
  return Object.assign(dropped, { code: SERIALIZATION_FAILURE })
}

async function batchesOf(deps: Deps, events: Event<Ingested | VenueIngested>[]): Promise<Batch[]> {
  const ids = new Map((await deps.instruments.list()).map((one) => [`${one.venue}:${one.symbol}`, one.instrumentId]))
  const groups = Map.groupBy(events, ({ data }) => `${data.venue}:${data.symbol}`)
  const batches: Batch[] = []
  for (const [name, group] of groups) {
    batches.push({
      instrumentId: ids.get(name) ?? (await newInstrumentId(deps, group[0]?.data)),
      trades: group.flatMap(({ data }) => data.trades.map(tradeOf)),
      l2Events: group.flatMap(({ data }) => data.l2_events.map(l2EventOf)),
      tradeGaps: group.flatMap(({ data }) => tradeGapsOf(data)),
    })
  }
  return batches
}

/** Repeated trades may include missing ones, and the venue may have provided all trades of a gap but some. */
async function updateTradeGaps(client: pg.ClientBase, { instrumentId, trades, tradeGaps }: Batch): Promise<void> {
  await insertTradeGaps(client, instrumentId, tradeGaps)
  const times = [
    ...trades.filter(({ flags }) => (flags & LATER) !== 0).map(({ tsEvent }) => tsEvent),
    ...tradeGaps.flatMap(({ fromTs, toTs }) => [fromTs, toTs]),
  ]
  const [first] = times
  if (first === undefined) return
  const earlier = (one: string, other: string) => (compareNanoseconds(one, other) < 0 ? one : other)
  const later = (one: string, other: string) => (compareNanoseconds(one, other) > 0 ? one : other)
  await closeFilledGaps(client, instrumentId, { from: times.reduce(earlier, first), to: times.reduce(later, first) })
}

/** The list of instruments may be older than the first batch of a new one. */
async function newInstrumentId({ db }: Deps, data: Ingested | VenueIngested | undefined): Promise<number> {
  const { venue = '', symbol = '' } = data ?? {}
  const id = await findInstrumentId(db, venue, symbol)
  if (id === undefined) throw new Error(`there is no instrument ${venue}:${symbol}`)
  return id
}

/** Checks that the schema cannot express; a failing event becomes a dead letter. */
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

function tradeGapsOf(data: Ingested | VenueIngested): TradeGap[] {
  const gaps = 'trade_gaps' in data ? (data.trade_gaps ?? []) : []
  return gaps.map(({ from_id, to_id, missing, from_ts, to_ts }) => {
    return { fromId: from_id, toId: to_id, missing, fromTs: from_ts, toTs: to_ts }
  })
}

function levelOf([price, size]: readonly [string, string]): Level {
  return [canonical(price), canonical(size)]
}

/** The schema has rejected everything that is not a decimal. */
function canonical(text: string): string {
  return canonicalDecimal(text) ?? text
}
