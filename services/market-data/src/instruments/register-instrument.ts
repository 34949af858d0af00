import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import type { InstrumentSpec } from './instrument.ts'
import { findInstrumentId, insertChannels, insertInstrument } from './instrument-queries.ts'

/** The id of an instrument, new or known. Safe to run twice, also at the same time. */
export async function registerInstrument(db: Kysely<Tables>, spec: InstrumentSpec): Promise<number> {
  const known = await findInstrumentId(db, spec.venue, spec.symbol)
  if (known !== undefined) return known
  await insertInstrument(db, spec)
  const id = await findInstrumentId(db, spec.venue, spec.symbol)
  if (id === undefined) throw new Error(`${spec.venue} ${spec.symbol} could not be registered`)
  await insertChannels(db, id)
  return id
}
