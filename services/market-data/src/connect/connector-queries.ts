import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

export type StoredTrade = { sourceId: string; tsEvent: string }

/** The latest trade in PostgreSQL that has an id of the venue. */
export async function findHotTradeWithId(db: Kysely<Tables>, instrumentId: number): Promise<StoredTrade | undefined> {
  const { rows } = await sql<StoredTrade>`
    select source_id as "sourceId", ts_event as "tsEvent" from trade
    where instrument_id = ${instrumentId} and has_trade_id
    order by ts_event desc, sequence desc limit 1`.execute(db)
  return rows[0]
}

export type Lease = { feed: string; holder: string; forMs: number }

/** Takes or renews the lease of a feed; false while another process has it. The database's clock decides. */
export async function renewLease(db: Kysely<Tables>, { feed, holder, forMs }: Lease): Promise<boolean> {
  const { rows } = await sql`
    insert into venue_lease (feed, holder, expires_at)
    values (${feed}, ${holder}, clock_timestamp() + ${forMs} * interval '1 ms')
    on conflict (feed) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where venue_lease.holder = excluded.holder or venue_lease.expires_at < clock_timestamp()
    returning 1`.execute(db)
  return rows.length === 1
}

export async function releaseLease(db: Kysely<Tables>, { feed, holder }: Omit<Lease, 'forMs'>): Promise<void> {
  await db.deleteFrom('venue_lease').where('feed', '=', feed).where('holder', '=', holder).execute()
}
