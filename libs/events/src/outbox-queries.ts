import type { OutboxTables } from '@tapeline/database/outbox-table'
import { type Kysely, sql, type Transaction } from 'kysely'

type Db = Kysely<OutboxTables>
type Trx = Transaction<OutboxTables>

const SEND_TIMEOUT_MS = 30_000

export type OutboxRow = {
  topic: string
  subject: string
  envelope: string
  created_at: Date
  version_account: string | null
  version_field: string | null
  version: string | null
  sent_at?: Date
}

export async function insertOutboxRow(trx: Trx, row: OutboxRow): Promise<void> {
  await trx.insertInto('outbox').values(row).execute()
}

/** One relay per database at a time, which keeps the order within an aggregate. */
export async function tryLockRelay(trx: Trx): Promise<boolean> {
  // The transaction is idle while Kafka responds: longer than other transactions may be.
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(SEND_TIMEOUT_MS)}`.execute(trx)
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('tapeline-outbox-relay')) as locked`.execute(trx)
  return rows[0]?.locked === true
}

/** Called many times per second, usually with no rows: one statement, no transaction. */
export async function hasUnsent(db: Db): Promise<boolean> {
  const row = await db.selectFrom('outbox').select('position').where('sent_at', 'is', null).limit(1).executeTakeFirst()
  return row !== undefined
}

export function listUnsent(trx: Trx, limit: number) {
  return trx
    .selectFrom('outbox')
    .select(['position', 'topic', 'subject', 'envelope'])
    .where('sent_at', 'is', null)
    .orderBy('position')
    .limit(limit)
    .execute()
}

export async function markSent(trx: Trx, positions: string[], at: Date): Promise<void> {
  await trx.updateTable('outbox').set({ sent_at: at }).where('position', 'in', positions).execute()
}

export function listUnwrittenVersions(db: Db, limit: number) {
  return db
    .selectFrom('outbox')
    .select(['position', 'version_account', 'version_field', 'version'])
    .where('version', 'is not', null)
    .orderBy('position')
    .limit(limit)
    .execute()
}

export async function markVersionWritten(db: Db, position: string): Promise<void> {
  await db.updateTable('outbox').set({ version: null }).where('position', '=', position).execute()
}

export async function deleteFinished(db: Db): Promise<void> {
  await db.deleteFrom('outbox').where('sent_at', 'is not', null).where('version', 'is', null).execute()
}
