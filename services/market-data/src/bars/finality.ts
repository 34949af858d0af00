import type { Bar } from '@tapeline/contracts/market-data/bars'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { STORED_WITHIN_NS } from '../records/list-records.ts'

export type Finality = Bar['finality']

/** A feed that has been silent for longer no longer keeps a bar open. */
const SILENCE_MAX_NS = 600_000_000_000n

/** The finality of a bar that ends at `end` (exclusive, ns); `now` in nanoseconds. */
export function finalityOf(end: bigint, { channels }: RegisteredInstrument, now: bigint): Finality {
  const { completeThrough } = channels.trade
  if (completeThrough !== null && end <= BigInt(completeThrough)) return 'final'
  const openNs = completeThrough === null ? STORED_WITHIN_NS : SILENCE_MAX_NS
  return end > now - openNs ? 'forming' : 'revisable'
}
