import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { UserActor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { venueChanged } from '@tapeline/contracts/market-data/events'
import type { SaveVenue, Venue } from '@tapeline/contracts/market-data/venues'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../../deps.ts'
import { FEEDS_OF_VENUE } from '../feeds/feeds-of-venue.ts'
import { listFeedReports, lockVenue, updateVenue } from './venue-queries.ts'
import { presentVenue } from './list-venues.ts'

/** Changes the connected symbols of a venue; processes with the role `ingest` apply it within seconds. */
export async function saveVenue(
  deps: Pick<Deps, 'db' | 'now'>,
  actor: UserActor,
  name: string,
  { symbols, is_paused, version, reason }: SaveVenue,
): Promise<Venue> {
  const after = { symbols: checkSymbols(name, symbols), is_paused }
  const row = await deps.db.transaction().execute(async (trx) => {
    const before = await lockVenue(trx, name)
    if (before.version !== version) {
      const message = `The settings of ${name} were changed in the meantime: read them again.`
      throw new AppError('venue.changed_meanwhile', message)
    }
    const stored = { symbols: [...before.symbols], is_paused: before.is_paused }
    if (isDeepStrictEqual(stored, after)) return before
    const saved = { ...before, ...after, version: version + 1 }
    await updateVenue(trx, saved)
    const data = { venue: name, before: stored, after, version: saved.version, reason: reason?.trim() || null }
    const about = { id: randomUUIDv7(), time: deps.now(), subject: name, account: null, actor }
    await recordEvent(trx, newEvent(venueChanged, { ...about, data }))
    return saved
  })
  return presentVenue(row, await listFeedReports(deps.db))
}

/** Each once, in the given order. */
function checkSymbols(name: string, symbols: readonly string[]): string[] {
  const feeds = FEEDS_OF_VENUE.get(name)
  if (feeds === undefined) {
    const message = `There is no venue ${name}: choose one of ${[...FEEDS_OF_VENUE.keys()].join(', ')}.`
    throw new AppError('venue.unknown', message)
  }
  const errors = symbols.flatMap((symbol, index) => {
    if (feeds.some((feed) => feed.instrumentOf(symbol) !== undefined)) return []
    const message = `${name} has no symbol of the form ${symbol}: write BTC-USD, BTC-USDT-PERP or BTC-USD-20261225.`
    return [{ field: `/symbols/${index}`, message }]
  })
  const [first] = errors
  if (first !== undefined) throw new AppError('venue.symbol_unknown', first.message, { errors })
  return [...new Set(symbols)]
}
