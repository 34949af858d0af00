import { parseArgs } from 'node:util'
import { beginResult } from '@tapeline/testing/begin-result'
import pg from 'pg'

/** What a counted request leaves in PostgreSQL: node load-tests/row-size.ts, with AUDIT_DATABASE_URL of a platform that served some. */
const { values } = parseArgs({ options: { out: { type: 'string', default: 'docs/benchmarks/usage-row-size.json' } } })
const ROWS_MIN = 1_000
const ROLL_UPS = '^usage_(minute|quarter_hour|hour|day|network|network_day|account_hour)'

const result = beginResult()
const client = new pg.Client({ connectionString: process.env['AUDIT_DATABASE_URL'] })
await client.connect()
try {
  const { rows: counted } = await client.query<{ rows: string }>('select count(*) as rows from usage_event')
  const rows = Number(counted[0]?.rows)
  if (!(rows >= ROWS_MIN)) throw new Error(`${rows} rows are too few: send some load first`)
  const bytesPerRow = (await bytesOf('^usage_event')) / rows
  const rollUpBytesPerRow = (await bytesOf(ROLL_UPS)) / rows
  console.log(`${rows} rows: ${bytesPerRow.toFixed(0)} bytes each, ${rollUpBytesPerRow.toFixed(0)} in sums`)
  result.write(values.out, { rows, bytesPerRow, rollUpBytesPerRow })
} finally {
  await client.end()
}

/** With indexes and what is stored apart; partitions are tables of their own. */
async function bytesOf(pattern: string): Promise<number> {
  const sql = `select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class where relkind = 'r' and relname ~ $1`
  const { rows } = await client.query<{ bytes: string }>(sql, [pattern])
  return Number(rows[0]?.bytes)
}
