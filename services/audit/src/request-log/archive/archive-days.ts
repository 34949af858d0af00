import type { ObjectStore } from '@tapeline/objects/object-store'
import type { Logger } from '@tapeline/service/logger'
import type { Tier } from '@tapeline/contracts/actor'
import type { Outcome } from '@tapeline/contracts/usage/events'
import type { Kysely } from 'kysely'
import type { Deps } from '../../deps.ts'
import { listPartitionDays } from '../../rollups/partition-queries.ts'
import type { Tables } from '../../tables.ts'
import { decodeDetail } from '../encode-detail.ts'
import {
  type ArchiveFile,
  countRowsOfDay,
  deleteArchivedDay,
  dropRowsOfDay,
  findClosedUntil,
  insertArchivedDay,
  listAccountsOfDay,
  listArchivedDays,
  listFilesOfDay,
  listRowsOfDay,
  type LoggedRow,
} from './archive-queries.ts'
import type { ArchivedRequest } from './archived-request.ts'
import { putFile, verifyFile } from './archive-file.ts'
import { ArchiveWriter } from './write-archive.ts'

export type ArchivingDeps = Pick<Deps, 'db' | 'now' | 'store'> & {
  /** Full days after which a day is archived, at least 2. */
  archiveAfterDays: number
}

const DAY_MS = 86_400_000
const PAGE_ROWS = 4_096
/** About 40 MB, which are in memory while the file is written. */
const FILE_ROWS = 1_000_000
/** Readers of the log wait this long at most. */
const LOCK_TIMEOUT_MS = 2_000

/**
 * Job. Moves days of the request log into files of the object store, once all their hours are closed and `archiveAfterDays` have
 * passed since the day ended. Idempotent, and may end at any point: rows are removed only after their files were read back.
 */
export async function archiveDays(deps: ArchivingDeps, logger?: Pick<Logger, 'info'>): Promise<number> {
  const { db, store } = deps
  if (store === undefined) return 0
  let archived = 0
  for (const day of await listDueDays(deps)) {
    const startedAt = performance.now()
    const files = await writeDay(db, store, day)
    await db.transaction().execute((trx) => insertArchivedDay(trx, { day, files, at: deps.now() }))
    const rows = await dropDay(deps, store, day)
    if (rows === undefined) continue
    archived += 1
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    logger?.info({ day, rows, bytes, files: files.length, seconds }, 'a day of the request log was archived')
  }
  return archived
}

async function listDueDays({ db, now, archiveAfterDays }: ArchivingDeps): Promise<string[]> {
  const closedUntil = await findClosedUntil(db)
  if (closedUntil === undefined) return []
  const dropped = new Set((await listArchivedDays(db)).filter(({ isDropped }) => isDropped).map(({ day }) => day))
  const endBy = Math.min(closedUntil.getTime(), now().getTime() - archiveAfterDays * DAY_MS)
  const days = await listPartitionDays(db, 'request_log')
  const due = days.filter((day) => !dropped.has(day) && Date.parse(day) + DAY_MS <= endBy)
  const counts = await Promise.all(due.map((day) => countRowsOfDay(db, day)))
  return due.filter((_, n) => (counts[n] ?? 0) > 0)
}

/** Files are named by their content: a day that is written again has the same files, or others. */
async function writeDay(db: Kysely<Tables>, store: ObjectStore, day: string): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = []
  let writer = new ArchiveWriter()
  const put = async () => {
    if (writer.rows === 0) return
    files.push(await putFile(store, { day, number: files.length + 1, writer }))
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

/** Undefined: the day got other rows since its files were written; it is archived again in the next run. */
async function dropDay({ db, now }: ArchivingDeps, store: ObjectStore, day: string): Promise<number | undefined> {
  const files = await listFilesOfDay(db, day)
  for (const file of files) await verifyFile(store, file)
  const rows = files.reduce((sum, file) => sum + file.rows, 0)
  const isDropped = await db
    .transaction()
    .execute((trx) => dropRowsOfDay(trx, { day, rows, at: now(), lockTimeoutMs: LOCK_TIMEOUT_MS }))
  if (isDropped) return rows
  await deleteArchivedDay(db, day)
  return undefined
}

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
