import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import type { InstrumentSpec } from './instrument.ts'
import { findInstrumentId, insertChannels, insertInstrument } from './instrument-queries.ts'

/** Returns the id of an instrument, which is registered if it is new. Safe to run twice, also concurrently. */
export async function registerInstrument(db: Kysely<Tables>, spec: InstrumentSpec): Promise<number> {
  const existing = await findInstrumentId(db, spec.venue, spec.symbol)
  if (existing !== undefined) return existing
  await insertInstrument(db, spec)
  const id = await findInstrumentId(db, spec.venue, spec.symbol)
  if (id === undefined) throw new Error(`${spec.venue} ${spec.symbol} could not be registered`)
  await insertChannels(db, id)
  return id
}
