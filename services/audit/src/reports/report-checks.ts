import type { UsageReport } from '@tapeline/contracts/audit/http'
import type { Kysely } from 'kysely'
import { findChecks } from '../reconciliation/check-queries.ts'
import type { Buckets } from './period-buckets.ts'
import type { Tables } from '../tables.ts'

/** How far an account's numbers were compared with the limiter's own count, and the result. */
export async function reportChecks(
  db: Kysely<Tables>,
  accountId: string,
  { starts, end }: Pick<Buckets, 'starts' | 'end'>,
): Promise<Pick<UsageReport, 'final_until' | 'drift' | 'unverified_minutes' | 'adjusted'>> {
  const period = { fromMs: (starts[0] ?? end).epochMilliseconds, toMs: end.epochMilliseconds }
  const { final_until, drift, unverified, adjusted } = await findChecks(db, accountId, period)
  return {
    final_until: final_until?.toISOString() ?? null,
    drift: final_until === null ? null : Number(drift),
    unverified_minutes: Number(unverified),
    adjusted: Number(adjusted),
  }
}
