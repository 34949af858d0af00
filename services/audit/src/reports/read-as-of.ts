import type { Deps } from '../deps.ts'
import { findCompleteUntil } from './report-queries.ts'

/** Until when an answer is complete: everything that Kafka held then is counted. `fallback` before the first reading. */
export async function readAsOf({ db, now }: Pick<Deps, 'db' | 'now'>, fallback: Date): Promise<Date> {
  const completeUntil = (await findCompleteUntil(db)) ?? fallback
  return completeUntil > now() ? now() : completeUntil
}
