import pg from 'pg'

/** Bytes of a counted request in audit's database, including indexes. */
export type RowSize = { rows: number; bytesPerRow: number; rollUpBytesPerRow: number }

const ROLL_UPS = '^usage_(minute|quarter_hour|hour|day|network|network_day|account_hour|account_day)'

/** undefined if no request was counted. */
export async function readRowSize(auditDatabaseUrl: string): Promise<RowSize | undefined> {
  const client = new pg.Client({ connectionString: auditDatabaseUrl })
  await client.connect()
  try {
    const { rows: counted } = await client.query<{ rows: string }>('select count(*) as rows from logged_request')
    const rows = Number(counted[0]?.rows)
    if (!(rows > 0)) return undefined
    return {
      rows,
      bytesPerRow: (await bytesOf(client, '^(request_(log|kind|key|gateway)|usage_event)')) / rows,
      rollUpBytesPerRow: (await bytesOf(client, ROLL_UPS)) / rows,
    }
  } finally {
    await client.end()
  }
}

/** Partitions are separate tables; empty ones are negligible. */
async function bytesOf(client: pg.Client, pattern: string): Promise<number> {
  const sql = `select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class where relkind = 'r' and relname ~ $1`
  const { rows } = await client.query<{ bytes: string }>(sql, [pattern])
  return Number(rows[0]?.bytes)
}
