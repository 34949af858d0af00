import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

type Trx = Transaction<Tables>
/** A use of a key, identified by one of its kids, at a time from a network. */
export type NetworkUse = { keyId: string; kid: string; network: string; at: Date }
type UsedKey = { id: string; user_id: string; name: string; kid: string }

/** No owner in the conditions of this file: the gateway has authenticated the keys. */
export async function findKeysByKid(trx: Trx, kids: string[]): Promise<Map<string, UsedKey>> {
  const rows = await trx
    .selectFrom('api_key_secret')
    .innerJoin('api_key', 'api_key.id', 'api_key_secret.key_id')
    .select(['api_key.id', 'api_key.user_id', 'api_key.name', 'api_key_secret.kid'])
    .where('api_key_secret.kid', 'in', kids)
    .where('api_key.state', '!=', 'deleted')
    .execute()
  return new Map(rows.map((row) => [row.kid, row]))
}

/** Stores later times and ignores earlier ones. */
export async function raiseLastUses(trx: Trx, networkUses: readonly NetworkUse[]): Promise<void> {
  await trx
    .insertInto('api_key_use')
    .values(networkUses.map(({ keyId, kid, at }) => ({ key_id: keyId, kid, last_used_at: at })))
    .onConflict((conflict) =>
      conflict
        .column('kid')
        .doUpdateSet((eb) => ({ last_used_at: eb.ref('excluded.last_used_at') }))
        .whereRef('api_key_use.last_used_at', '<', 'excluded.last_used_at'),
    )
    .execute()
}

export async function countNetworks(trx: Trx, keyIds: string[]): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('api_key_network')
    .select(({ fn }) => ['key_id', fn.countAll<string>().as('count')])
    .where('key_id', 'in', keyIds)
    .groupBy('key_id')
    .execute()
  return new Map(rows.map(({ key_id, count }) => [key_id, Number(count)]))
}

/** Returns the ones that were not stored yet. */
export async function addNetworks(trx: Trx, networkUses: readonly NetworkUse[]): Promise<NetworkUse[]> {
  const rows = await trx
    .insertInto('api_key_network')
    .values(networkUses.map(({ keyId, network, at }) => ({ key_id: keyId, network, last_seen_at: at })))
    .onConflict((conflict) => conflict.columns(['key_id', 'network']).doNothing())
    .returning(['key_id', 'network'])
    .execute()
  const added = new Set(rows.map(({ key_id, network }) => `${key_id} ${network}`))
  return networkUses.filter(({ keyId, network }) => added.has(`${keyId} ${network}`))
}

/** Updates only times that increase by more than `everyMs`. */
export async function raiseLastSeen(trx: Trx, networkUses: readonly NetworkUse[], everyMs: number): Promise<void> {
  const column = <T>(value: (networkUse: NetworkUse) => T): T[] => networkUses.map(value)
  await sql`
    update api_key_network n set last_seen_at = seen.at
    from unnest(
      ${column(({ keyId }) => keyId)}::uuid[],
      ${column(({ network }) => network)}::text[],
      ${column(({ at }) => at.toISOString())}::timestamptz[]) as seen (key_id, network, at)
    where n.key_id = seen.key_id and n.network = seen.network
      and n.last_seen_at < seen.at - ${everyMs}::float8 * interval '1 millisecond'`.execute(trx)
}

/** Keeps the newest. */
export async function deleteNetworksBeyond(trx: Trx, keyIds: string[], max: number): Promise<void> {
  await sql`
    delete from api_key_network n using (
      select key_id, network, row_number() over (partition by key_id order by last_seen_at desc, network) as place
      from api_key_network where key_id = any(${keyIds}::uuid[])
    ) ranked
    where n.key_id = ranked.key_id and n.network = ranked.network and ranked.place > ${max}`.execute(trx)
}

export async function deleteNetworksSeenBefore(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('api_key_network').where('last_seen_at', '<', before).execute()
}
