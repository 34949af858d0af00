import { COMMAND_CONNECT_TIMEOUT_MS, connectDatabase, createPool } from '@tapeline/database/connect'
import type { Tables } from './tables.ts'
import { verifyTrail } from './trail/verify-trail.ts'
import { verifyUsage } from './reconciliation/verify-usage.ts'

const STATEMENT_TIMEOUT_MS = 600_000

const url = process.env.DATABASE_URL
if (url === undefined || url === '') {
  process.stderr.write('audit: DATABASE_URL is missing\n')
  process.exit(2)
}
const pool = createPool({
  url,
  connectTimeoutMs: COMMAND_CONNECT_TIMEOUT_MS,
  connectionsMax: 2,
  applicationName: 'audit-verify',
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
})
try {
  // One snapshot for all queries while the consumer keeps writing.
  const verdict = await connectDatabase<Tables>(pool)
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const account = process.argv[2] ?? null
      return { ...(await verifyUsage(trx, account)), trail: await verifyTrail(trx, account) }
    })
  process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`)
  process.exitCode = verdict.isRight && verdict.trail.isRight ? 0 : 1
} finally {
  await pool.end()
}
