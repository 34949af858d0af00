import { PLATFORM_CONFIGS } from '@tapeline/contracts/config/global-configs'
import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { GlobalConfigChangeTable, GlobalConfigRow, Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

export const CONFIGS_MAX = 1_000
const HISTORY_ROWS_MAX = 100

/** Not filtered by owner: they belong to the platform. Includes known keys whose stored value was reverted. */
export function listConfigs(db: Db): Promise<GlobalConfigRow[]> {
  const platformKeys = Object.keys(PLATFORM_CONFIGS)
  return db
    .selectFrom('global_config')
    .selectAll()
    .where((eb) => eb.or([eb('state', 'is not', null), eb('key', 'in', platformKeys)]))
    .orderBy('key')
    .limit(CONFIGS_MAX + platformKeys.length)
    .execute()
}

export function findConfig(db: Db, key: string): Promise<GlobalConfigRow | undefined> {
  return db.selectFrom('global_config').selectAll().where('key', '=', key).executeTakeFirst()
}

export function lockConfig(trx: Trx, key: string): Promise<GlobalConfigRow | undefined> {
  return trx.selectFrom('global_config').selectAll().where('key', '=', key).forUpdate().executeTakeFirst()
}

export type ConfigsSize = { count: number; bytes: number }

/** Number and size of all configurations except one. */
export async function measureConfigs(db: Db, exceptKey: string): Promise<ConfigsSize> {
  const { count, bytes } = await db
    .selectFrom('global_config')
    .select(({ fn }) => [
      fn.countAll<string>().as('count'),
      sql<string>`coalesce(sum(octet_length(state::text)), 0)`.as('bytes'),
    ])
    .where('key', '!=', exceptKey)
    .where('state', 'is not', null)
    .executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes) }
}

type WrittenConfig = Omit<GlobalConfigRow, 'state'> & { state: string | null }

export async function insertConfig(trx: Trx, row: WrittenConfig): Promise<void> {
  await trx.insertInto('global_config').values(row).execute()
}

export async function updateConfigRow(trx: Trx, { id, ...fields }: WrittenConfig): Promise<void> {
  await trx.updateTable('global_config').set(fields).where('id', '=', id).execute()
}

export async function insertConfigChange(trx: Trx, change: Insertable<GlobalConfigChangeTable>): Promise<void> {
  await trx.insertInto('global_config_change').values(change).execute()
}

export type ConfigChangeRow = Selectable<GlobalConfigChangeTable>

/** Newest first. */
export function listConfigChanges(db: Db, configId: string): Promise<ConfigChangeRow[]> {
  return db
    .selectFrom('global_config_change')
    .selectAll()
    .where('config_id', '=', configId)
    .orderBy('version', 'desc')
    .limit(HISTORY_ROWS_MAX)
    .execute()
}

export function findConfigChange(db: Db, configId: string, version: number): Promise<ConfigChangeRow | undefined> {
  return db
    .selectFrom('global_config_change')
    .selectAll()
    .where('config_id', '=', configId)
    .where('version', '=', version)
    .executeTakeFirst()
}
