import type { Deps } from '../deps.ts'
import { findCompleteUntil } from './report-queries.ts'

/**
 * The time until which reports are complete: everything that Kafka had then is counted. `fallback` before the first
 * check.
 */
export async function readAsOf({ db, now }: Pick<Deps, 'db' | 'now'>, fallback: Date): Promise<Date> {
  const completeUntil = (await findCompleteUntil(db)) ?? fallback
  return completeUntil > now() ? now() : completeUntil
}
