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

export type UnsentRow = {
  position: string
  topic: string
  subject: string
  envelope: unknown
  /** Whether more events are unsent than were returned. */
  has_more: boolean
}

/** The oldest unsent events, in the order of their positions: at most `rowsMax`, and no more after `bytes`. */
export async function listUnsent(
  trx: Trx,
  { rowsMax, bytes }: { rowsMax: number; bytes: number },
): Promise<UnsentRow[]> {
  const { rows } = await sql<UnsentRow>`
    select position, topic, subject, envelope, last_position > max(position) over () or unsent = ${rowsMax} as has_more
    from (
      select *, count(*) over () as unsent, max(position) over () as last_position,
        sum(octet_length(envelope::text)) over (order by position) - octet_length(envelope::text) as bytes_before
      from (
        select position, topic, subject, envelope from outbox where sent_at is null order by position limit ${rowsMax}
      ) oldest
    ) counted
    where bytes_before < ${bytes}
    order by position`.execute(trx)
  return rows
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
