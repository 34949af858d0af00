import type { UserActor } from '@tapeline/contracts/actor'
import type { Instrument, InstrumentList } from '@tapeline/contracts/market-data/http'
import type { Deps } from '../deps.ts'
import { canonicalDecimal } from '../decimal.ts'
import { formatRfc3339 } from '../nanoseconds.ts'
import type { RegisteredInstrument } from './instrument.ts'
import { readableInstruments } from './select-instruments.ts'

/** Instruments that the caller may read, with the range of stored data of each channel. */
export async function listInstruments(deps: Deps, actor: UserActor, requestId: string): Promise<InstrumentList> {
  const instruments = readableInstruments(await deps.instruments.list(), actor)
  return { data: instruments.map(presentInstrument), request_id: requestId }
}

function presentInstrument({ instrumentId, channels, ...instrument }: RegisteredInstrument): Instrument {
  const { trade, l2_event } = channels
  const first = [trade.firstTsEvent, l2_event.firstTsEvent].filter((time) => time !== null).map(formatRfc3339)
  const last = [trade.lastTsEvent, l2_event.lastTsEvent].filter((time) => time !== null).map(formatRfc3339)
  return {
    instrument_id: instrumentId,
    venue: instrument.venue,
    symbol: instrument.symbol,
    venue_symbol: instrument.venueSymbol,
    base: instrument.base,
    quote: instrument.quote,
    size_unit: instrument.sizeUnit,
    ts_event_precision: instrument.tsEventPrecision,
    kind: instrument.kind,
    tick: canonical(instrument.tick),
    lot: canonical(instrument.lot),
    multiplier: canonical(instrument.multiplier),
    aliases: [...instrument.aliases],
    valid_from: instrument.validFrom?.toISOString() ?? null,
    valid_to: instrument.validTo?.toISOString() ?? null,
    first_ts_event: first.toSorted()[0] ?? null,
    last_ts_event: last.toSorted().at(-1) ?? null,
    trades: trade.rows,
    l2_events: l2_event.rows,
  }
}

function canonical(decimal: string | null): string | null {
  return decimal === null ? null : (canonicalDecimal(decimal) ?? decimal)
}
