import type { Role } from '@tapeline/contracts/actor'
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { FeatureFlagChangeTable, FeatureFlagRow, FeatureFlagTable, Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

/** Maximum number of active flags. */
export const FLAGS_MAX = 1_000
const HISTORY_ROWS_MAX = 200

/** No owner: flags belong to the platform, and their role determines who can see them. */
export function listActiveFlags(db: Db): Promise<FeatureFlagRow[]> {
  return db
    .selectFrom('feature_flag')
    .selectAll()
    .where('is_active', '=', true)
    .orderBy('key')
    .orderBy('role')
    .limit(FLAGS_MAX)
    .execute()
}

/** Including removed flags, which have no maximum: any of them can be restored, and none may be seeded again. */
export function listAllFlags(db: Db): Promise<FeatureFlagRow[]> {
  return db.selectFrom('feature_flag').selectAll().orderBy('key').orderBy('role').execute()
}

export async function countActiveFlags(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('feature_flag')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findFlagRow(db: Db, id: string): Promise<FeatureFlagRow | undefined> {
  return db.selectFrom('feature_flag').selectAll().where('id', '=', id).executeTakeFirst()
}

export function lockFlag(trx: Trx, id: string): Promise<FeatureFlagRow | undefined> {
  return trx.selectFrom('feature_flag').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export function lockFlagOf(trx: Trx, key: string, role: Role): Promise<FeatureFlagRow | undefined> {
  return trx
    .selectFrom('feature_flag')
    .selectAll()
    .where('key', '=', key)
    .where('role', '=', role)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertFlag(trx: Trx, flag: Insertable<FeatureFlagTable>): Promise<void> {
  await trx.insertInto('feature_flag').values(flag).execute()
}

export async function updateFlagRow(trx: Trx, { id, ...fields }: FeatureFlagRow): Promise<void> {
  await trx.updateTable('feature_flag').set(fields).where('id', '=', id).execute()
}

/** Undefined when the flag exists: an admin's change, including a removal, is kept. */
export function insertFlagIfAbsent(trx: Trx, flag: Insertable<FeatureFlagTable>): Promise<FeatureFlagRow | undefined> {
  return trx
    .insertInto('feature_flag')
    .values(flag)
    .onConflict((conflict) => conflict.constraint('feature_flag_key_role').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function insertFlagChange(trx: Trx, change: Insertable<FeatureFlagChangeTable>): Promise<void> {
  await trx.insertInto('feature_flag_change').values(change).execute()
}

export type FlagChangeRow = Selectable<FeatureFlagChangeTable>

/** Newest first. */
export function listFlagChanges(db: Db, flagId: string): Promise<FlagChangeRow[]> {
  return db
    .selectFrom('feature_flag_change')
    .selectAll()
    .where('flag_id', '=', flagId)
    .orderBy('version', 'desc')
    .limit(HISTORY_ROWS_MAX)
    .execute()
}

export function findFlagChange(db: Db, flagId: string, version: number): Promise<FlagChangeRow | undefined> {
  return db
    .selectFrom('feature_flag_change')
    .selectAll()
    .where('flag_id', '=', flagId)
    .where('version', '=', version)
    .executeTakeFirst()
}
