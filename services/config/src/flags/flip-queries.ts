import type { Kysely, Transaction } from 'kysely'
import type { FeatureFlagRow, Tables } from '../tables.ts'
import { FLAGS_MAX } from './flag-queries.ts'

/** Locks and returns the time until which flips were published; other publishers wait. */
export async function lockFlipMark(trx: Transaction<Tables>): Promise<Date | null> {
  const mark = await trx.selectFrom('platform_version').select('flips_told_until').forUpdate().executeTakeFirstOrThrow()
  return mark.flips_told_until
}

export async function moveFlipMark(trx: Transaction<Tables>, until: Date): Promise<void> {
  await trx.updateTable('platform_version').set({ flips_told_until: until }).execute()
}

/** Enabled flags whose schedule began or ended after `after`, `until` inclusive. */
export function listFlippedFlags(db: Kysely<Tables>, after: Date, until: Date): Promise<FeatureFlagRow[]> {
  return db
    .selectFrom('feature_flag')
    .selectAll()
    .where('is_active', '=', true)
    .where('enabled', '=', true)
    .where((eb) =>
      eb.or([
        eb.and([eb('enabled_from', '>', after), eb('enabled_from', '<=', until)]),
        eb.and([eb('enabled_until', '>', after), eb('enabled_until', '<=', until)]),
      ]),
    )
    .orderBy('id')
    .limit(FLAGS_MAX)
    .execute()
}
