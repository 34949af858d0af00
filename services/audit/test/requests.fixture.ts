import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { type Kysely, sql } from 'kysely'
import { numbersOf } from '../src/request-log/dictionaries.ts'
import { encodeDetail } from '../src/request-log/encode-detail.ts'
import { ensureDays } from '../src/rollups/ensure-days.ts'
import type { Tables } from '../src/tables.ts'

export type ManyRequests = { accountId: string; count: number; newest: Date; everyMs: number }

const DAY_MS = 86_400_000

/** Inserts rows of answered requests without roll-ups, with ascending request ids from the newest on. For tests. */
export async function insertManyRequests(db: Kysely<Tables>, { accountId, count, newest, everyMs }: ManyRequests) {
  const oldestMs = newest.getTime() - count * everyMs
  const days = Math.ceil((newest.getTime() - oldestMs) / DAY_MS)
  await ensureDays(db, [oldestMs, ...Array.from({ length: days + 1 }, (_, n) => newest.getTime() - n * DAY_MS)])
  const { data } = usageEvent({ account_id: accountId, tier: 'pro', upstream_latency_us: null })
  const [numbers] = await numbersOf(db, [data])
  if (numbers === undefined) throw new Error('a request has numbers')
  await sql`
    insert into request_log (time, latency_us, bytes_out, id, request_id, account, bytes_in, rows_returned, kind, key, gateway,
      network, detail)
    select ${newest.toISOString()}::timestamptz - (n - 1) * ${everyMs} * interval '1 millisecond', 1000, 1,
      gen_random_uuid(), lpad(to_hex(n), 32, '0')::uuid, ${numbers.account}::integer, 1, -1, ${numbers.kind}::integer,
      ${numbers.key}::integer, ${numbers.gateway}::integer, '192.0.2.0/24', ${encodeDetail(data)}::bytea
    from generate_series(1, ${count}::int) n`.execute(db)
}
