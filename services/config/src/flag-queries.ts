import type { Role } from '@tapeline/contracts/actor'
import type { Insertable, Kysely } from 'kysely'
import type { FeatureFlagRow, FeatureFlagTable, Tables } from './tables.ts'

const FLAGS_MAX = 1_000

/** Flags are the platform's, not an account's: the roles say who sees them. */
export function listActiveFlags(db: Kysely<Tables>, roles: readonly Role[]): Promise<FeatureFlagRow[]> {
  return db
    .selectFrom('feature_flag')
    .selectAll()
    .where('is_active', '=', true)
    .where('role', 'in', roles)
    .orderBy('key')
    .limit(FLAGS_MAX)
    .execute()
}

/** A flag that is there keeps what an admin made of it, also when that was its removal. */
export async function insertFlagIfAbsent(db: Kysely<Tables>, flag: Insertable<FeatureFlagTable>): Promise<void> {
  await db
    .insertInto('feature_flag')
    .values(flag)
    .onConflict((conflict) => conflict.constraint('feature_flag_key_role').doNothing())
    .execute()
}
