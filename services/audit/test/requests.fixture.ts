import { type Kysely, sql } from 'kysely'
import { ensureDays } from '../src/rollups/ensure-days.ts'
import type { Tables } from '../src/tables.ts'

export type ManyRequests = { accountId: string; count: number; newest: Date; everyMs: number }

const DAY_MS = 86_400_000

/** Inserts rows of answered requests without roll-ups, with ascending request ids from the newest on. For tests. */
export async function insertManyRequests(db: Kysely<Tables>, { accountId, count, newest, everyMs }: ManyRequests) {
  const oldestMs = newest.getTime() - count * everyMs
  const days = Math.ceil((newest.getTime() - oldestMs) / DAY_MS)
  await ensureDays(db, [oldestMs, ...Array.from({ length: days + 1 }, (_, n) => newest.getTime() - n * DAY_MS)])
  await sql`
    insert into usage_event (id, time, account_id, key_id, kid, tier, method, route, status, outcome, code, verdict,
      decision, latency_us, upstream_latency_us, bytes_in, bytes_out, rows_returned, gateway_id, request_id, network)
    select gen_random_uuid(), ${newest.toISOString()}::timestamptz - (n - 1) * ${everyMs} * interval '1 millisecond',
      ${accountId}::uuid, 'session', null, 'pro', 'POST', '/api/v1/trades/list', 200, 'ok', null, 'admitted', '{}', 1000,
      null, 1, 1, null, 'gw', lpad(to_hex(n), 32, '0'), '192.0.2.0/24'
    from generate_series(1, ${count}::int) n`.execute(db)
}
