import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import type { Hole } from './feeds/feed.ts'

export type StoredTrade = { id: string; tsEvent: string }

/** Trades of one moment are not stored in the order of their ids if some of them were requested later. */
const LATEST_TRADES = 1_000

/**
 * The highest trade id of the venue among the latest trades in PostgreSQL, also that of an aggregate `a<id>`, which has the
 * id of its last fill.
 */
export async function findHotTradeWithId(db: Kysely<Tables>, instrumentId: number): Promise<StoredTrade | undefined> {
  const { rows } = await sql<StoredTrade>`
    select id, ts_event as "tsEvent" from (
      select ts_event, substring(source_id from '^a?([0-9]{1,18})$')::bigint as id from trade
      where instrument_id = ${instrumentId}
        and (has_trade_id or conditions like 'aggregate:%-' || substring(source_id from 2))
      order by ts_event desc, sequence desc limit ${LATEST_TRADES}) as latest
    where id is not null order by id desc limit 1`.execute(db)
  return rows[0]
}

const RECENT_GAPS = 20

/** The latest trades of the last day that are still missing, in gaps of at most `idsMax` ids. */
export async function listMissingTrades(db: Kysely<Tables>, instrumentId: number, idsMax: number): Promise<Hole[]> {
  const { rows } = await sql<Record<'from' | 'to' | 'since' | 'until', string>>`
    select from_id as "from", to_id as "to", from_ts as "since", to_ts as "until" from trade_gap
    where instrument_id = ${instrumentId} and filled_at is null and to_id - from_id < ${idsMax}
      and to_ts > extract(epoch from now() - interval '1 day') * 1e9
    order by to_ts desc limit ${RECENT_GAPS}`.execute(db)
  return rows.map((row) => ({ ...row, from: Number(row.from), to: Number(row.to) }))
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
