import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { folderStore } from '@tapeline/objects/folder-store'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { recordUsage } from '../src/ingest/record-usage.ts'
import { archiveNextDay } from '../src/request-log/archive/archive-days.ts'
import type { ArchivedRequest } from '../src/request-log/archive/archived-request.ts'
import { ensureDays } from '../src/rollups/ensure-days.ts'
import { findLoggedRequest, scanRequests } from '../src/requests/scan-requests.ts'
import { rollingTraffic } from '../test/rolling-traffic.fixture.ts'
import { openScratch, print, runContext } from './scratch.ts'
import { closeHoursBefore, logBytes } from './server-queries.ts'

// What does a request take in the log and in an archived day, and what does it cost to archive, list and find it?

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    accounts: { type: 'string', default: '20' },
    out: { type: 'string', default: 'docs/benchmarks/request-archive.json' },
  },
})
const DAY = '2026-03-01'
const DAY_MS = 86_400_000
const BATCH = 1_000
const PAGE = 50
const PAGES = 100
const US_PER_MS = 1_000

const accounts = Number(values.accounts)
const rowsEach = Math.floor(Number(values.rows) / accounts)
const folder = mkdtempSync(join(tmpdir(), 'tapeline-archive-'))
const store = folderStore(folder)
const scratch = await openScratch()
try {
  const { db } = scratch
  const startMs = Date.parse(DAY)
  const now = () => new Date(startMs + 5 * DAY_MS)
  await ensureDays(db, [startMs, startMs + DAY_MS])
  const everyMs = Math.floor((DAY_MS * 0.9) / rowsEach)
  let accountId = ''
  for (let account = 1; account <= accounts; account += 1) {
    const requests = rollingTraffic({ account, rows: rowsEach, startsAt: `${DAY}T00:00:00Z`, everyMs })
    accountId = requests[0]?.account_id ?? ''
    for (let at = 0; at < requests.length; at += BATCH) {
      const events = requests.slice(at, at + BATCH).map(eventOf)
      await db.transaction().execute((trx) => recordUsage({ db, now: () => new Date(startMs) }, trx, events))
    }
  }
  const rows = accounts * rowsEach
  const bytesInLog = Math.round((await logBytes(db)) / rows)
  print(`${rows} requests of ${accounts} accounts are in the log, ${bytesInLog} bytes each`)
  await closeHoursBefore(db, now())
  const before = process.cpuUsage()
  const archived = await archiveNextDay({ db, now, store, archiveAfterDays: 2 })
  if (archived?.rows !== rows) throw new Error('the day was not archived')
  const archiveMicros = microsSince(before) / rows
  const { bytes } = archived
  print(`a day archived: ${(bytes / rows).toFixed(1)} bytes and ${archiveMicros.toFixed(1)} us of CPU each`)
  const listed = await measureList({ db, store }, accountId)
  const found = await measureFind({ db, store }, accountId)
  print(`a page of ${PAGE}: ${listed.uncached} ms of CPU at a random time, ${listed.walking} ms when paging`)
  print(`a request by its id: ${found} ms of CPU among ${rowsEach} of the account`)
  const result = {
    ...runContext(),
    rows,
    accounts,
    bytesInLog,
    bytesInArchive: Number((bytes / rows).toFixed(1)),
    archiveCpuMicrosPerRow: Number(archiveMicros.toFixed(1)),
    pageRows: PAGE,
    pageCpuMs: listed,
    findCpuMs: found,
    findAmongRows: rowsEach,
  }
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
} finally {
  await scratch.drop()
  rmSync(folder, { recursive: true })
}

function eventOf({ account: _account, timeUs, id, rejected_fields: _none, ...data }: ArchivedRequest) {
  return usageEvent({ ...data, id, at: new Date(timeUs / US_PER_MS) })
}

type ReadDeps = Parameters<typeof scanRequests>[0]

/** CPU of this process only; PostgreSQL reads the list of files. */
async function measureList(deps: ReadDeps, account: string) {
  const from = new Date(DAY)
  const bounds = { matchesMax: PAGE, scanMax: PAGE }
  const random = async (reading: ReadDeps) => {
    const to = new Date(from.getTime() + DAY_MS * (0.1 + 0.8 * Math.random()))
    const { rows } = await scanRequests(reading, { accountId: account, from, to, after: undefined }, bounds)
    if (rows.length !== PAGE) throw new Error('a page is short')
  }
  let before = process.cpuUsage()
  // Caches belong to the store's object.
  for (let page = 0; page < PAGES; page += 1) await random({ ...deps, store: { ...store } })
  const uncached = msPerPage(before)
  before = process.cpuUsage()
  let after: { time: string; id: string } | undefined
  for (let page = 0; page < PAGES; page += 1) {
    const scan = { accountId: account, from, to: new Date(from.getTime() + DAY_MS), after }
    const { rows } = await scanRequests(deps, scan, bounds)
    const last = rows.at(-1)
    if (last === undefined) throw new Error('a page is empty')
    after = { time: last.place, id: last.id }
  }
  return { uncached, walking: msPerPage(before) }
}

async function measureFind(deps: ReadDeps, account: string): Promise<number> {
  const from = new Date(DAY)
  const scan = { accountId: account, from, to: new Date(from.getTime() + DAY_MS), after: undefined }
  const { rows } = await scanRequests(deps, scan, { matchesMax: rowsEach, scanMax: rowsEach })
  const before = process.cpuUsage()
  for (let n = 0; n < PAGES; n += 1) {
    const one = rows[Math.floor(Math.random() * rows.length)]
    const id = { requestId: one?.request_id ?? '' }
    if ((await findLoggedRequest(deps, account, id, from)) === undefined) throw new Error('a request was not found')
  }
  return msPerPage(before)
}

function msPerPage(before: NodeJS.CpuUsage): number {
  return Number((microsSince(before) / US_PER_MS / PAGES).toFixed(1))
}

function microsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return user + system
}
