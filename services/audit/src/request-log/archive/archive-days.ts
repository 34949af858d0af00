import { setTimeout as delay } from 'node:timers/promises'
import type { ObjectStore } from '@tapeline/objects/object-store'
import type { Tier } from '@tapeline/contracts/actor'
import type { Outcome } from '@tapeline/contracts/usage/events'
import type { Kysely } from 'kysely'
import type { Deps } from '../../deps.ts'
import { listPartitionDays } from '../../rollups/partition-queries.ts'
import type { Tables } from '../../tables.ts'
import { decodeDetail } from '../encode-detail.ts'
import {
  type ArchiveFile,
  deleteUndroppedDay,
  dropRowsOfDay,
  findArchiveId,
  findClosedUntil,
  insertArchivedDay,
  listArchivedDays,
  listFilesOfDay,
  whileArchiving,
} from './archive-queries.ts'
import { hasRowsOfDay, listAccountsOfDay, listRowsOfDay, type LoggedRow } from './day-rows-queries.ts'
import type { ArchivedRequest } from './archived-request.ts'
import { isIntact, putFile, verifyFile } from './archive-file.ts'
import { ArchiveWriter } from './write-archive.ts'

export type ArchivingDeps = Pick<Deps, 'db' | 'now' | 'store'> & {
  /** Full days after which a day is archived, at least 2. */
  archiveAfterDays: number
}
/** `lost`: files of an earlier run that were missing or damaged, and were written again. */
export type ArchivedNow = { day: string; rows: number; files: number; bytes: number; lost: number }

const DAY_MS = 86_400_000
const PAGE_ROWS = 4_096
/** About 40 MB, which are in memory while the file is written. */
const FILE_ROWS = 1_000_000
/** A statement that waits for the partition fails after 500 ms: readers must not wait that long behind this one. */
const LOCK_TIMEOUT_MS = 200
const LOCK_ATTEMPTS = 10
const LOCK_PAUSE_MS = 1_000

/**
 * Moves the oldest due day of the request log into files of the object store: one whose hours are all closed, and whose end is
 * `archiveAfterDays` ago. Idempotent, and may end at any point: rows are removed only after their files were read back.
 * Undefined: no day is due, the day got other rows meanwhile and is archived by a later run, or another process is archiving.
 * @throws StoreError
 */
export async function archiveNextDay(deps: ArchivingDeps): Promise<ArchivedNow | undefined> {
  const { db, store } = deps
  if (store === undefined) return undefined
  return whileArchiving(db, async () => {
    const day = await findDueDay(deps)
    if (day === undefined) return undefined
    // An earlier run may have written the files, and could not lock the partition.
    const written = await listFilesOfDay(db, day)
    const lost = await removeLost(db, store, written)
    if (written.length > 0 && lost === 0 && (await dropDay(deps, written))) return summaryOf(day, written, lost)
    const files = await writeDay(db, store, day)
    await db.transaction().execute((trx) => insertArchivedDay(trx, { day, files, at: deps.now() }))
    for (const file of files) await verifyFile(store, file)
    return (await dropDay(deps, files)) ? summaryOf(day, files, lost) : undefined
  })
}

/**
 * If files of a day whose rows are still in the log are missing or damaged, removes them and the references to all files of the day, so
 * that they are written again. Returns the number of missing or damaged files.
 */
async function removeLost(db: Kysely<Tables>, store: ObjectStore, files: readonly ArchiveFile[]): Promise<number> {
  const lost: ArchiveFile[] = []
  for (const file of files) if (!(await isIntact(store, file))) lost.push(file)
  const [first] = lost
  if (first === undefined) return 0
  // First the references: the rows of a day are removed only while its files are referenced.
  if (!(await deleteUndroppedDay(db, first.day)))
    throw new Error(`the rows of ${first.day} have left the log meanwhile`)
  for (const { key } of lost) await store.delete(key)
  return lost.length
}

function summaryOf(day: string, files: readonly ArchiveFile[], lost: number): ArchivedNow {
  const sum = (of: (file: ArchiveFile) => number) => files.reduce((total, file) => total + of(file), 0)
  return { day, files: files.length, rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes), lost }
}

async function findDueDay({ db, now, archiveAfterDays }: ArchivingDeps): Promise<string | undefined> {
  const closedUntil = await findClosedUntil(db)
  if (closedUntil === undefined) return undefined
  return findOldestDay(db, Math.min(closedUntil.getTime(), now().getTime() - archiveAfterDays * DAY_MS))
}

/** The oldest day that ended by then and whose rows are still in the log. */
export async function findOldestDay(db: Kysely<Tables>, endByMs: number): Promise<string | undefined> {
  const dropped = new Set((await listArchivedDays(db)).filter(({ isDropped }) => isDropped).map(({ day }) => day))
  for (const day of await listPartitionDays(db, 'request_log')) {
    const isDue = !dropped.has(day) && Date.parse(day) + DAY_MS <= endByMs
    if (isDue && (await hasRowsOfDay(db, day))) return day
  }
  return undefined
}

/** Files are named by their content: a day that is written again has the same files, or others. */
async function writeDay(db: Kysely<Tables>, store: ObjectStore, day: string): Promise<ArchiveFile[]> {
  const archiveId = await findArchiveId(db)
  const files: ArchiveFile[] = []
  let writer = new ArchiveWriter()
  const put = async () => {
    if (writer.rows === 0) return
    files.push(await putFile(store, { archiveId, day, number: files.length + 1, writer }))
    writer = new ArchiveWriter()
  }
  for (const account of await listAccountsOfDay(db, day)) {
    let last: LoggedRow | undefined
    for (;;) {
      const rows = await listRowsOfDay(db, { day, account }, last, PAGE_ROWS)
      await writer.add(rows.map(archivedRequest))
      if (writer.rows >= FILE_ROWS) await put()
      last = rows.at(-1)
      if (rows.length < PAGE_ROWS) break
    }
  }
  await put()
  return files
}

/** False: the day got other rows since its files were written. The caller has verified them. */
async function dropDay({ db, now }: ArchivingDeps, files: readonly ArchiveFile[]): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const drop = { files, at: now(), lockTimeoutMs: LOCK_TIMEOUT_MS }
      return await db.transaction().execute((trx) => dropRowsOfDay(trx, drop))
    } catch (error) {
      if (!isLockTimeout(error) || attempt === LOCK_ATTEMPTS) throw error
      await delay(LOCK_PAUSE_MS)
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
}

const LOCK_NOT_AVAILABLE = '55P03'

function archivedRequest(row: LoggedRow): ArchivedRequest {
  const { decision, upstream_latency_us, rejected_fields } = decodeDetail(row)
  return {
    id: row.id,
    timeUs: Number(row.time_us),
    account: row.account,
    account_id: row.account_id,
    key_id: row.key_id,
    kid: row.kid,
    tier: row.tier as Tier,
    method: row.method,
    route: row.route,
    status: row.status,
    outcome: row.outcome as Outcome,
    code: row.code,
    latency_us: Number(row.latency_us),
    upstream_latency_us,
    bytes_in: Number(row.bytes_in),
    bytes_out: Number(row.bytes_out),
    rows_returned: row.rows_returned === null ? null : Number(row.rows_returned),
    gateway_id: row.gateway_id,
    request_id: row.request_id,
    network: row.network,
    rejected_fields,
    decision,
  }
}
