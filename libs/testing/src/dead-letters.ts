import { execFile } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'

const REPLAY = join(import.meta.dirname, '..', '..', '..', 'services', 'audit', 'src', 'dead-letters.ts')

export type StoredDeadLetter = { reason: string; payload: string }

/** Rows of audit's dead-letter table. */
export async function deadLettersOf(auditDatabaseUrl: string): Promise<StoredDeadLetter[]> {
  const client = new pg.Client({ connectionString: auditDatabaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<StoredDeadLetter>('select reason, payload from dead_letter order by created_at')
    return rows.map(({ reason, payload }) => ({ reason, payload: Buffer.from(payload, 'base64').toString() }))
  } finally {
    await client.end()
  }
}

export type Replay = { auditDatabaseUrl: string; topicPrefix: string; rowDays?: number }

/** Runs the operator's replay of audit's dead letters, optionally with another retention in days. */
export function replayDeadLettersOf({ auditDatabaseUrl, topicPrefix, rowDays }: Replay) {
  const { promise, resolve, reject } = Promise.withResolvers<{ restored: number; left: number }>()
  const env = {
    ...process.env,
    DATABASE_URL: auditDatabaseUrl,
    KAFKA_TOPIC_PREFIX: topicPrefix,
    ...(rowDays === undefined ? {} : { USAGE_ROWS_RETENTION_DAYS: String(rowDays) }),
  }
  execFile(process.execPath, [REPLAY, 'replay'], { env }, (error, stdout, stderr) => {
    const last = stdout.trim().split('\n').at(-1) ?? ''
    // Exit code 1: dead letters remain.
    if (last === '') reject(new Error(`the dead letters were not replayed: ${stderr}`, { cause: error }))
    else resolve(JSON.parse(last))
  })
  return promise
}
