import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

/** Names of an account's keys by id, as far as events contained them. */
export async function listKeyNames(
  db: Kysely<Tables>,
  accountId: string,
  keyIds: readonly string[],
): Promise<Map<string, string>> {
  if (keyIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('known_key')
    .select(['key_id', 'name'])
    .where('account_id', '=', accountId)
    .where('key_id', 'in', keyIds)
    .execute()
  return new Map(rows.map(({ key_id, name }) => [key_id, name]))
}

export type NamedKey = { accountId: string; keyId: string; name: string; at: Date }

/** Stores the latest name, independent of the order of events. */
export async function upsertKeyName(trx: Transaction<Tables>, { accountId, keyId, name, at }: NamedKey): Promise<void> {
  await sql`
    insert into known_key as k (account_id, key_id, name, named_at)
    values (${accountId}::uuid, ${keyId}, ${name}, ${at.toISOString()}::timestamptz)
    on conflict (account_id, key_id) do update set name = excluded.name, named_at = excluded.named_at
    where excluded.named_at >= k.named_at`.execute(trx)
}
