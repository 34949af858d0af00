import type { OutboxTables } from '@tapeline/database/outbox-table'
import { type Kysely, sql, type Transaction } from 'kysely'
import { announceWork, announceWorkOn, type SqlClient } from '@tapeline/database/work-signals'
import { hasOwnRelay, signalOutbox } from './outbox-signal.ts'

type Db = Kysely<OutboxTables>
type Trx = Transaction<OutboxTables>

const SEND_TIMEOUT_MS = 30_000
/** Announced for the relays of other processes. */
export const OUTBOX_WORK = 'outbox'

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

/** Stores an event to send; only in the transaction of its change. */
export async function insertOutboxRow(trx: Trx, row: OutboxRow): Promise<void> {
  await trx.insertInto('outbox').values(row).execute()
  if (isAnnounced(row)) await announceWork(trx, OUTBOX_WORK)
  signalOutbox()
}

/** As `insertOutboxRow`, on a connection whose transaction was begun without Kysely. */
export async function insertOutboxRowOn(client: SqlClient, row: OutboxRow): Promise<void> {
  await client.query({
    text: `insert into outbox (topic, subject, envelope, created_at, version_account, version_field, version)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [row.topic, row.subject, row.envelope, row.created_at, row.version_account, row.version_field, row.version],
  })
  if (isAnnounced(row)) await announceWorkOn(client, OUTBOX_WORK)
  signalOutbox()
}

/**
 * PostgreSQL commits transactions that announce something one after the other, so an event is announced only where no
 * relay is in this process. A version always is: if this process dies after the commit, another one writes it to Redis.
 */
function isAnnounced({ version }: OutboxRow): boolean {
  return version !== null || !hasOwnRelay()
}

/** One relay per database at a time, which keeps the order within an aggregate. */
export async function tryLockRelay(trx: Trx): Promise<boolean> {
  // The transaction is idle while Kafka responds: longer than other transactions may be.
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(SEND_TIMEOUT_MS)}`.execute(trx)
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('tapeline-outbox-relay')) as locked`.execute(trx)
  return rows[0]?.locked === true
}

/** Called several times per second, usually with no rows: one statement, no transaction. */
export async function hasUnsent(db: Db): Promise<boolean> {
  const row = await db.selectFrom('outbox').select('position').where('sent_at', 'is', null).limit(1).executeTakeFirst()
  return row !== undefined
}

/** The oldest unsent events, in the order of their positions; at most `limit`. */
export function listUnsent(trx: Trx, limit: number) {
  return trx
    .selectFrom('outbox')
    .select(['position', 'topic', 'subject', 'envelope'])
    .where('sent_at', 'is', null)
    .orderBy('position')
    .limit(limit)
    .execute()
}

/** Marks events as acknowledged by Kafka. */
export async function markSent(trx: Trx, positions: string[], at: Date): Promise<void> {
  await trx.updateTable('outbox').set({ sent_at: at }).where('position', 'in', positions).execute()
}

/** The oldest rows whose version is not yet in Redis; at most `limit`. */
export function listUnwrittenVersions(db: Db, limit: number) {
  return db
    .selectFrom('outbox')
    .select(['position', 'version_account', 'version_field', 'version'])
    .where('version', 'is not', null)
    .orderBy('position')
    .limit(limit)
    .execute()
}

/** Marks the version of a row as written to Redis. */
export async function markVersionWritten(trx: Trx, position: string): Promise<void> {
  await trx.updateTable('outbox').set({ version: null }).where('position', '=', position).execute()
}

/**
 * Deletes rows that are sent and whose version is written: in the transaction that completes them, so that a process
 * which is killed leaves none behind.
 */
export async function deletePublishedRows(trx: Trx): Promise<void> {
  await trx.deleteFrom('outbox').where('sent_at', 'is not', null).where('version', 'is', null).execute()
}
