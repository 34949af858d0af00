import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** Position at which an earlier connector stopped. */
export type StoredEnd = {
  /** The latest trade that has an id of the venue. */
  lastTrade: { id: number; tsEvent: string } | undefined
  /** Event time of the last book event; undefined when there is none, or a gap is the last. */
  bookValidUntil: string | undefined
}

export async function findStoredEnd(db: Kysely<Tables>, instrumentId: number): Promise<StoredEnd> {
  const trades = await sql<{ id: string; ts_event: string }>`
    select source_id as id, ts_event from trade where instrument_id = ${instrumentId} and has_trade_id
    order by ts_event desc, sequence desc limit 1`.execute(db)
  const events = await sql<{ type: string; ts_event: string }>`
    select type, ts_event from l2_event where instrument_id = ${instrumentId}
    order by ts_event desc, sequence desc limit 1`.execute(db)
  const [trade] = trades.rows
  const id = Number(trade?.id ?? Number.NaN)
  const last = events.rows[0]
  return {
    lastTrade: trade !== undefined && Number.isSafeInteger(id) ? { id, tsEvent: trade.ts_event } : undefined,
    bookValidUntil: last === undefined || last.type === 'g' ? undefined : last.ts_event,
  }
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
