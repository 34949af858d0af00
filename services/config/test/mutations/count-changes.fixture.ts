import type { Kysely } from 'kysely'
import type { Tables } from '../../src/tables.ts'

/** Each change of a flag, a configuration or the tiers adds a row. */
export async function countChanges(db: Kysely<Tables>): Promise<number> {
  const rows = await Promise.all(
    (['feature_flag_change', 'global_config_change', 'tier_document'] as const).map((table) =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow(),
    ),
  )
  return rows.reduce((sum, { count }) => sum + Number(count), 0)
}
