import type pg from 'pg'
import type { FileCounts } from '../src/lake/encoding/encode-day.ts'
import { inTransaction } from '../src/lake/in-transaction.ts'
import { LAYOUTS } from '../src/lake/files/layout.ts'
import { markStored } from '../src/store/store-queries.ts'

export type FilledDay = {
  day: number
  key: string
  bytes: number
  sha256: string
  tailBytes: number
  tailSha256: string
  counts: FileCounts
  seconds: number
  cpuSeconds: number
}

/** Inserts files of days into the manifest, as sealing them would have done. */
export async function registerDays(pool: pg.Pool, instrumentId: number, days: readonly FilledDay[]): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query({
      text: `
        insert into sealed_file (instrument_id, channel, day, revision, object_key, layout, row_count, bytes, sha256,
          tail_bytes, tail_sha256, ts_min, ts_max, sequence_min, sequence_max, hot_dropped_at)
        select $1, 'trade', day, 1, key, $2, (counts->>'row_count')::bigint, bytes, sha256, "tailBytes", "tailSha256",
          (counts->>'ts_min')::bigint, (counts->>'ts_max')::bigint,
          (counts->>'sequence_min')::bigint, (counts->>'sequence_max')::bigint, now()
        from jsonb_to_recordset($3::jsonb) as filled (
          day integer, key text, bytes bigint, sha256 text, "tailBytes" integer, "tailSha256" text, counts jsonb)`,
      values: [instrumentId, LAYOUTS.trade.name, JSON.stringify(days)],
    })
    const rows = days.reduce((sum, { counts }) => sum + Number(counts.row_count), 0)
    const [first, last] = [days[0]?.counts.ts_min ?? undefined, days.at(-1)?.counts.ts_max ?? undefined]
    await markStored(client, { instrumentId, channel: 'trade', first, last, rows, epochs: 0, through: undefined })
  })
}
