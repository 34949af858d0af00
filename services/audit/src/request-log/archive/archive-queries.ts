import { type Kysely, sql, type Transaction } from 'kysely'
import { whileAlone } from '../../run-lock-queries.ts'
import type { Tables } from '../../tables.ts'
import { isInDay } from './day-rows-queries.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

/** A file of an archived day: the requests of the accounts from `firstAccount` to `lastAccount`, or a part of one account's. */
export type ArchiveFile = {
  day: string
  number: number
  firstAccount: number
  lastAccount: number
  rows: number
  bytes: number
  /** SHA-256 of the whole file, in hex. */
  sha256: string
  /** Length of the footer, which is verified before it is parsed. */
  footerBytes: number
  footerSha256: string
  key: string
}

/** Serializes the removal of a day's rows with transactions that record requests of days that may be archived. */
const ARCHIVE_LOCK = 'usage archive'

export async function lockArchiveShared(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext(${ARCHIVE_LOCK}))`.execute(trx)
}

/** Runs `work` unless another process archives, sweeps or erases: they replace and delete files that the others read. */
export function whileArchiving<T>(db: Db, work: () => Promise<T>): Promise<T | undefined> {
  return whileAlone(db, 'usage archive run', work)
}

/** Part of the keys of this database's objects, so that installations can share an object store. */
export async function findArchiveId(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from archive_identity`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('archive_identity is empty')
  return row.id
}

const FILE = sql`day::text as day, number, first_account as "firstAccount", last_account as "lastAccount", rows,
  bytes::float8 as bytes, sha256, footer_bytes as "footerBytes", footer_sha256 as "footerSha256", key`

export type FilesOf = { account?: number; from: Date; to: Date }

/** Files of days whose rows are only there, oldest day first. */
export async function listArchiveFiles(db: Db, { account, from, to }: FilesOf): Promise<ArchiveFile[]> {
  const isOfAccount = account === undefined ? sql`true` : sql`${account} between first_account and last_account`
  const { rows } = await sql<ArchiveFile>`
    select ${FILE} from archive_file f
    where day between (${from.toISOString()}::timestamptz at time zone 'utc')::date
        and (${to.toISOString()}::timestamptz at time zone 'utc')::date
      and ${isOfAccount}
      and exists (select 1 from archived_day d where d.day = f.day and d.dropped_at is not null)
    order by day, number`.execute(db)
  return rows
}

/** Undefined: the account has no request. */
export async function findAccountNumber(db: Db, accountId: string): Promise<number | undefined> {
  const row = await db.selectFrom('request_account').select('no').where('account_id', '=', accountId).executeTakeFirst()
  return row?.no
}

/** Numbers of those accounts that have requests. */
export async function listAccountNumbers(db: Db, accountIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('request_account')
    .select(['account_id', 'no'])
    .where('account_id', 'in', accountIds)
    .execute()
  return new Map(rows.map(({ account_id, no }) => [account_id, no]))
}

export type ArchivedDay = { day: string; rows: number; isDropped: boolean }

export async function listArchivedDays(db: Db): Promise<ArchivedDay[]> {
  const { rows } = await sql<ArchivedDay>`
    select day::text as day, rows::float8 as rows, dropped_at is not null as "isDropped" from archived_day
    order by day`.execute(db)
  return rows
}

/** Time until which all hours are closed and summed. */
export async function findClosedUntil(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('usage_closing').select('sealed_until').where('id', '=', 1).executeTakeFirst()
  return row?.sealed_until
}

async function countRowsOfDay(trx: Trx, day: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*)::float8 as rows from request_log where ${isInDay(day)}`.execute(trx)
  return rows[0]?.rows ?? 0
}

/** Replaces what an earlier attempt wrote. @throws Error when the rows of the day have left the log already */
export async function insertArchivedDay(
  trx: Trx,
  { day, files, at }: { day: string; files: readonly ArchiveFile[]; at: Date },
): Promise<void> {
  await sql`delete from archived_day where day = ${day}::date and dropped_at is null`.execute(trx)
  const rows = rowsOf(files)
  await sql`
    insert into archived_day (day, rows, archived_at)
    values (${day}::date, ${rows}, ${at.toISOString()}::timestamptz)`.execute(trx)
  for (const file of files) {
    await sql`
      insert into archive_file (
        day, number, first_account, last_account, rows, bytes, sha256, footer_bytes, footer_sha256, key)
      values (${day}::date, ${file.number}, ${file.firstAccount}, ${file.lastAccount}, ${file.rows}, ${file.bytes},
        ${file.sha256}, ${file.footerBytes}, ${file.footerSha256}, ${file.key})`.execute(trx)
  }
}

function rowsOf(files: readonly ArchiveFile[]): number {
  return files.reduce((sum, file) => sum + file.rows, 0)
}

export async function listFilesOfDay(db: Db, day: string): Promise<ArchiveFile[]> {
  const { rows } = await sql<ArchiveFile>`
    select ${FILE} from archive_file where day = ${day}::date order by number`.execute(db)
  return rows
}

/**
 * Removes the rows of an archived day from the log. Returns false, and removes nothing, when the log has other rows than these
 * files, or the day other files. `lockTimeoutMs`: how long statements on the partition may wait behind this one.
 */
export async function dropRowsOfDay(
  trx: Trx,
  { files, at, lockTimeoutMs }: { files: readonly ArchiveFile[]; at: Date; lockTimeoutMs: number },
): Promise<boolean> {
  const [{ day } = { day: '' }] = files
  const partition = sql.table(`request_log_${day.replaceAll('-', '')}`)
  // Counting a large day takes longer than a request may.
  await sql`set local statement_timeout = '10min'`.execute(trx)
  await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`.execute(trx)
  await sql`select pg_advisory_xact_lock(hashtext(${ARCHIVE_LOCK}))`.execute(trx)
  // Also for processes of a release without archives: there is no write between the count and the removal.
  await sql`lock table ${partition} in share row exclusive mode`.execute(trx)
  if (!(await hasFiles(trx, day, files)) || (await countRowsOfDay(trx, day)) !== rowsOf(files)) return false
  await sql`truncate table ${partition}`.execute(trx)
  await sql`update archived_day set dropped_at = ${at.toISOString()}::timestamptz where day = ${day}::date`.execute(trx)
  return true
}

async function hasFiles(trx: Trx, day: string, files: readonly ArchiveFile[]): Promise<boolean> {
  const { rows } = await sql<{ day: string }>`
    select day::text as day from archived_day where day = ${day}::date and dropped_at is null for update`.execute(trx)
  const stored = await listFilesOfDay(trx, day)
  return rows.length === 1 && stored.map(({ sha256 }) => sha256).join() === files.map(({ sha256 }) => sha256).join()
}

/** Files that may have requests of these accounts, including days whose rows are still in the log. */
export async function listFilesOfAccounts(db: Db, accounts: readonly number[]): Promise<ArchiveFile[]> {
  const { rows } = await sql<ArchiveFile>`
    select ${FILE} from archive_file
    where exists (select 1 from unnest(${accounts}::integer[]) account where account between first_account and last_account)
    order by day, number`.execute(db)
  return rows
}

/** Replaces a file whose requests were changed. False: there is no such file any more. */
export async function replaceArchiveFile(db: Db, before: ArchiveFile, after: ArchiveFile): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update archive_file set bytes = ${after.bytes}, sha256 = ${after.sha256}, footer_bytes = ${after.footerBytes},
      footer_sha256 = ${after.footerSha256}, key = ${after.key}
    where key = ${before.key}`.execute(db)
  return numAffectedRows > 0n
}

/** Removes the references to a day's files. False, and nothing is removed, when its rows have left the log. */
export async function deleteUndroppedDay(db: Db, day: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from archived_day where day = ${day}::date and dropped_at is null`.execute(db)
  return numAffectedRows > 0n
}

/** Keys of all files by day, also of days whose rows are still in the log. */
export async function listArchiveKeys(db: Db): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ day: string; keys: string[] }>`
    select day::text as day, array_agg(key) as keys from archive_file group by day`.execute(db)
  return new Map(rows.map(({ day, keys }) => [day, new Set(keys)]))
}

/** Changes whenever the rows of a day leave the log. */
export async function findLastDrop(db: Db): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`select max(dropped_at)::text as last from archived_day`.execute(
    db,
  )
  return rows[0]?.last ?? null
}

export async function deleteArchivedBefore(db: Db, day: string): Promise<void> {
  await sql`delete from archived_day where day < ${day}::date`.execute(db)
}
