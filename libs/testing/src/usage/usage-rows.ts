import pg from 'pg'

export type UsageRow = {
  requestId: string
  timeMs: number
  status: number
  outcome: string
  verdict: string
  upstreamLatencyMs: number | null
}

/** The rows that audit stored for an account's counted requests, by the limiter's clock. */
export async function usageRowsOf(auditDatabaseUrl: string, accountId: string): Promise<UsageRow[]> {
  const rows = await query<{
    request_id: string
    time: Date
    status: number
    outcome: string
    verdict: string
    upstream_latency_us: string | null
  }>(
    auditDatabaseUrl,
    'select request_id, time, status, outcome, verdict, upstream_latency_us from logged_request where account_id = $1 order by time',
    [accountId],
  )
  return rows.map((row) => ({
    requestId: row.request_id,
    timeMs: row.time.getTime(),
    status: row.status,
    outcome: row.outcome,
    verdict: row.verdict,
    upstreamLatencyMs: row.upstream_latency_us === null ? null : Number(row.upstream_latency_us) / 1000,
  }))
}

async function query<T extends pg.QueryResultRow>(url: string, text: string, values: unknown[]): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}
