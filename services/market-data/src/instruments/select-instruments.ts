import type { UserActor } from '@tapeline/contracts/actor'
import { AppError } from '@tapeline/service/app-error'
import { type RegisteredInstrument, SIM_VENUE } from './instrument.ts'

export type Warning = { code: string; message: string }
export type Selection = { instruments: RegisteredInstrument[]; warnings: Warning[] }
export type InstrumentFilter = { venues?: string[]; symbols?: string[] }

const INSTRUMENTS_MAX = 50

/** A test key reads the simulated venue only; for it, other instruments do not exist. */
export function readableInstruments(
  all: readonly RegisteredInstrument[],
  actor: UserActor,
): readonly RegisteredInstrument[] {
  return actor.environment === 'test' ? all.filter(({ venue }) => venue === SIM_VENUE) : all
}

/**
 * The instruments of a filter, by id. Unknown names are reported as warnings, or as 404 if no instrument remains.
 * @throws AppError symbol.unknown, filter.invalid
 */
export function selectInstruments(
  all: readonly RegisteredInstrument[],
  actor: UserActor,
  filter: InstrumentFilter,
): Selection {
  refuseOtherVenues(actor, filter)
  const { venues, symbols } = filter
  const ofVenues = readableInstruments(all, actor).filter(({ venue }) => venues?.includes(venue) ?? true)
  const instruments = ofVenues.filter(({ symbol }) => symbols?.includes(symbol) ?? true)
  const warnings = [
    ...missing(venues, all, 'venue').map((name) => unknown('venue', name)),
    ...missing(symbols, ofVenues, 'symbol').map((name) => unknown('symbol', name)),
  ]
  if (instruments.length === 0) {
    const field = symbols === undefined ? '/venues' : '/symbols'
    const message = warnings[0]?.message ?? 'No instrument matches the venues and symbols.'
    throw new AppError('symbol.unknown', message, { errors: [{ field, message, rule: 'knownInstrument' }] })
  }
  if (instruments.length > INSTRUMENTS_MAX) {
    const message = `This selects ${instruments.length} instruments; one call reads at most ${INSTRUMENTS_MAX}: specify symbols.`
    const error = { field: '/symbols', message, rule: 'maxInstruments', limit: INSTRUMENTS_MAX }
    throw new AppError('filter.invalid', message, { errors: [error] })
  }
  return { instruments, warnings }
}

function refuseOtherVenues(actor: UserActor, { venues }: InstrumentFilter): void {
  const index = venues?.findIndex((venue) => venue !== SIM_VENUE) ?? -1
  if (actor.environment !== 'test' || index === -1) return
  const message = `A test key reads the venue ${SIM_VENUE} only: use a live key for ${venues?.[index] ?? 'others'}.`
  throw new AppError('tier.environment_not_included', message, { errors: [{ field: `/venues/${index}`, message }] })
}

function missing(
  names: string[] | undefined,
  instruments: readonly RegisteredInstrument[],
  field: 'venue' | 'symbol',
): string[] {
  const all = new Set(instruments.map((instrument) => instrument[field]))
  return (names ?? []).filter((name) => !all.has(name))
}

function unknown(what: 'venue' | 'symbol', name: string): Warning {
  return { code: `${what}.unknown`, message: `There is no ${what} ${name} here.` }
}
