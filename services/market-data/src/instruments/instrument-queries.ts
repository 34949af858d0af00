import { type Kysely, sql } from 'kysely'
import type { ChannelName, Tables } from '../tables.ts'
import type { ChannelInfo, InstrumentSpec, RegisteredInstrument } from './instrument.ts'

const INSTRUMENTS_MAX = 10_000

type ChannelColumns = { name: ChannelName } & ChannelInfo

/** All instruments with the state of their channels, by id. */
export async function listInstrumentRows(db: Kysely<Tables>): Promise<RegisteredInstrument[]> {
  const rows = await db
    .selectFrom('instrument')
    .innerJoin('channel', 'channel.instrument_id', 'instrument.instrument_id')
    .groupBy('instrument.instrument_id')
    .orderBy('instrument.instrument_id')
    .limit(INSTRUMENTS_MAX)
    .selectAll('instrument')
    .select(
      sql<boolean>`exists (select from trade_gap where trade_gap.instrument_id = instrument.instrument_id)`.as(
        'has_gaps',
      ),
    )
    .select(
      sql<ChannelColumns[]>`json_agg(json_build_object(
        'name', channel.name, 'rows', stored_rows, 'firstTsEvent', first_ts_event::text,
        'lastTsEvent', last_ts_event::text, 'completeThrough', complete_through::text,
        'retainedFrom', retained_from::text))`.as('channels'),
    )
    .execute()
  return rows.map((row) => ({
    instrumentId: row.instrument_id,
    venue: row.venue,
    symbol: row.symbol,
    venueSymbol: row.venue_symbol,
    base: row.base,
    quote: row.quote,
    sizeUnit: row.size_unit,
    tsEventPrecision: row.ts_event_precision,
    kind: row.kind,
    tick: row.tick,
    lot: row.lot,
    multiplier: row.multiplier,
    aliases: row.aliases,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    hasTradeGaps: row.has_gaps,
    channels: { trade: channelOf(row.channels, 'trade'), l2_event: channelOf(row.channels, 'l2_event') },
  }))
}

function channelOf(channels: ChannelColumns[], name: ChannelName): ChannelInfo {
  const found = channels.find((channel) => channel.name === name)
  if (found === undefined) throw new Error(`an instrument has no channel ${name}`)
  const { rows, firstTsEvent, lastTsEvent, completeThrough, retainedFrom } = found
  return { rows, firstTsEvent, lastTsEvent, completeThrough, retainedFrom }
}

export async function findInstrumentId(db: Kysely<Tables>, venue: string, symbol: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('instrument')
    .select('instrument_id')
    .where('venue', '=', venue)
    .where('symbol', '=', symbol)
    .executeTakeFirst()
  return row?.instrument_id
}

export async function insertInstrument(db: Kysely<Tables>, spec: InstrumentSpec): Promise<void> {
  await db
    .insertInto('instrument')
    .values({
      venue: spec.venue,
      symbol: spec.symbol,
      venue_symbol: spec.venueSymbol,
      base: spec.base,
      quote: spec.quote,
      size_unit: spec.sizeUnit,
      ts_event_precision: spec.tsEventPrecision,
      kind: spec.kind,
      ...termsOf(spec),
    })
    .onConflict((conflict) => conflict.columns(['venue', 'symbol']).doNothing())
    .execute()
}

function termsOf({ tick, lot, multiplier, aliases, validFrom, validTo }: InstrumentSpec) {
  return {
    tick: tick ?? null,
    lot: lot ?? null,
    multiplier: multiplier ?? null,
    aliases: aliases ?? [],
    valid_from: validFrom ?? null,
    valid_to: validTo ?? null,
  }
}

export async function insertChannels(db: Kysely<Tables>, instrumentId: number): Promise<void> {
  await db
    .insertInto('channel')
    .values((['trade', 'l2_event'] as const).map((name) => ({ ...NEW_CHANNEL, instrument_id: instrumentId, name })))
    .onConflict((conflict) => conflict.columns(['instrument_id', 'name']).doNothing())
    .execute()
}

const NEW_CHANNEL = { last_sequence: 0n, book_epoch: 0, stored_rows: 0n, retained_from: 0n }
