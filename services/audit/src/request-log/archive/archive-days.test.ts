import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from '@tapeline/objects/object-store'
import { Registry } from '@tapeline/service/metrics'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { archiveDueDays, openArchiveTest, readEverything } from '../../../test/archive.fixture.ts'
import { verifyUsage } from '../../reconciliation/verify-usage.ts'
import { archiveNextDay } from './archive-days.ts'
import { archivePrefix } from './archive-file.ts'
import { findArchiveId, listFilesOfDay } from './archive-queries.ts'
import { eraseArchivedNetworks } from './erase-archived.ts'
import { measureArchive } from './archive-metrics.ts'
import { sweepArchive } from './sweep-archive.ts'

const DAY_MS = 86_400_000

let archive: Awaited<ReturnType<typeof openArchiveTest>>
beforeEach(async () => {
  archive = await openArchiveTest()
})
afterEach(() => archive.close())
const prefix = async () => archivePrefix(await findArchiveId(archive.db))

test('a late event of an archived day is counted once, and a repeated one not again', async () => {
  const events = await archive.recordWeek()
  await archiveDueDays(archive)
  const archived = events.find(({ time, data }) => time < '2026-03-15' && data.account_id === archive.actor.userId)
  if (archived === undefined) throw new Error('there are early ones')
  const late = usageEvent({
    account_id: archive.actor.userId,
    at: new Date(Date.parse(archived.time) + 1),
    tier: 'pro',
  })
  await archive.record(archived, late, usageEvent({ account_id: crypto.randomUUID(), at: new Date(archived.time) }))
  await archive.record(archived, late)
  const listed = await archive.walk('limit=7')
  expect(listed.filter(({ id }) => id === archived.id)).toHaveLength(1)
  const at = listed.findIndex(({ id }) => id === late.id)
  expect(listed.slice(at + 1).map(({ id }) => id)).toContain(archived.id)
  expect(listed).toHaveLength(97)
  expect(await verifyUsage(archive.db, null)).toMatchObject({ isRight: true, archivedDays: [] })
  const { rows } = await sql<{ n: number }>`
    select sum(requests)::int as n from usage_account_day where account_id = ${archive.actor.userId}::uuid`.execute(
    archive.db,
  )
  expect(rows[0]?.n).toBe(97)
  // The day has its archive already: late rows stay in the log.
  expect(await archiveDueDays(archive)).toBe(0)
  await sql`update archived_day set rows = rows + 1 where day = '2026-03-14'`.execute(archive.db)
  expect(await verifyUsage(archive.db, null)).toMatchObject({ isRight: false, archivedDays: ['2026-03-14'] })
})

test('an interrupted run loses and repeats nothing, and the sweep removes what it left', async () => {
  const events = await archive.recordWeek()
  const before = await readEverything(archive, events)
  let calls = 0
  for (let failing = 1; ; failing += 1) {
    calls = 0
    const counted = <A extends unknown[], R>(call: (...args: A) => Promise<R>, isFailing: boolean) => {
      return async (...args: A): Promise<R> => {
        calls += 1
        if (calls !== failing) return call(...args)
        // Before the call or after it: the answer is lost in both cases.
        if (!isFailing) await call(...args)
        throw new StoreError('unavailable', 'interrupted')
      }
    }
    const { store } = archive
    const isBefore = failing % 2 === 0
    const putIfAbsent = counted(store.putIfAbsent, isBefore)
    archive.deps.store = { ...store, putIfAbsent, getRange: counted(store.getRange, isBefore) }
    const run = await archiveDueDays(archive).catch(() => 'interrupted')
    archive.deps.store = store
    if (failing % 4 === 1) expect((await readEverything(archive, events)).pages).toEqual(before.pages)
    if (run !== 'interrupted') break
  }
  expect(await readEverything(archive, events)).toEqual(before)
  await archive.store.putIfAbsent(`${await prefix()}2026-03-14/0001-left.parquet`, new Uint8Array(8))
  const now = () => new Date(Date.now() + 2 * DAY_MS)
  await sweepArchive({ ...archive.deps, now, retention: { rowDays: 10_000 } })
  expect(await archive.store.list(await prefix())).toHaveLength(6)
})

test('a row that arrives while a day is archived stays in the log, and the day is archived again', async () => {
  const events = await archive.recordWeek()
  const late = usageEvent({ account_id: archive.actor.userId, at: new Date('2026-03-14T03:00:00Z') })
  const { store } = archive
  archive.deps.store = {
    ...store,
    putIfAbsent: async (key, bytes) => {
      if (key.includes('2026-03-14') && events.at(-1) !== late) {
        events.push(late)
        await archive.record(late)
      }
      return store.putIfAbsent(key, bytes)
    },
  }
  expect(await archiveDueDays(archive)).toBe(2)
  expect(await archive.walk('limit=50')).toHaveLength(97)
  expect(await archiveDueDays(archive)).toBe(4)
  expect(await archive.walk('limit=50')).toHaveLength(97)
  expect(await verifyUsage(archive.db, null)).toMatchObject({ isRight: true })
})

test('erasing an account writes its files again without networks, and leaves other accounts alone', async () => {
  const events = await archive.recordWeek()
  await archiveDueDays(archive)
  const readOther = async () => (await archive.getJson('requests?limit=100', archive.other)).data.requests
  const ofOther = await readOther()
  const keys = (await archive.store.list(await prefix())).map(({ key }) => key)
  await eraseArchivedNetworks(archive.deps, [archive.actor.userId])
  const erased = await archive.walk('limit=100')
  expect(erased).toHaveLength(events.filter(({ data }) => data.account_id === archive.actor.userId).length)
  expect(erased.filter(({ time }) => time < '2026-03-18').every(({ network }) => network === '')).toBe(true)
  expect(await readOther()).toEqual(ofOther)
  const after = (await archive.store.list(await prefix())).map(({ key }) => key)
  expect(after).toHaveLength(keys.length)
  expect(after.filter((key) => keys.includes(key))).toEqual([])
  await eraseArchivedNetworks(archive.deps, [archive.actor.userId])
  expect((await archive.store.list(await prefix())).map(({ key }) => key)).toEqual(after)
})

test('files of several accounts are written again once', async () => {
  await archive.recordWeek()
  await archiveDueDays(archive)
  const accounts = [archive.actor.userId, archive.other.userId, crypto.randomUUID()]
  const stored: string[] = []
  const { store } = archive
  archive.deps.store = {
    ...store,
    putIfAbsent: (key, bytes) => {
      stored.push(key)
      return store.putIfAbsent(key, bytes)
    },
  }
  expect(await eraseArchivedNetworks(archive.deps, accounts)).toEqual({ erased: new Set(accounts), failures: [] })
  expect(stored).toHaveLength(6)
  for (const actor of [archive.actor, archive.other]) {
    const { requests } = (await archive.getJson('requests?limit=100', actor)).data
    const networks = requests.filter(({ time }: { time: string }) => time < '2026-03-18')
    expect(networks.every(({ network }: { network: string }) => network === '')).toBe(true)
  }
})

test('a file that cannot be read does not keep the networks of other files', async () => {
  await archive.recordWeek()
  await archiveDueDays(archive)
  const damaged = (await listFilesOfDay(archive.db, '2026-03-14'))[0]?.key ?? ''
  const whole = await readFile(join(archive.folder, damaged))
  await writeFile(join(archive.folder, damaged), whole.subarray(0, -1))
  const { erased, failures } = await eraseArchivedNetworks(archive.deps, [archive.actor.userId])
  expect([erased.size, failures.length]).toEqual([0, 1])
  await writeFile(join(archive.folder, damaged), whole)
  const withNetworks = (await archive.walk('limit=100')).filter(({ network }) => network !== '')
  expect(new Set(withNetworks.map(({ time }) => time.slice(0, 10)))).toEqual(
    new Set(['2026-03-14', '2026-03-18', '2026-03-19', '2026-03-20']),
  )
  const again = await eraseArchivedNetworks(archive.deps, [archive.actor.userId])
  expect(again).toEqual({ erased: new Set([archive.actor.userId]), failures: [] })
})

test.each([
  ['missing', () => undefined],
  ['damaged', (whole: Buffer) => Buffer.from(whole).fill(0, 0, 9)],
  ['cut off', (whole: Buffer) => whole.subarray(0, -1)],
])('a day whose file is %s before its rows leave the log is written again', async (_name, damage) => {
  const events = await archive.recordWeek()
  const before = await readEverything(archive, events)
  const getRange = () => Promise.reject(new StoreError('unavailable', 'interrupted'))
  archive.deps.store = { ...archive.store, getRange }
  await expect(archiveDueDays(archive)).rejects.toThrow('interrupted')
  archive.deps.store = archive.store
  const [file] = await listFilesOfDay(archive.db, '2026-03-12')
  const path = join(archive.folder, file?.key ?? '')
  const content = damage(await readFile(path))
  await (content === undefined ? rm(path) : writeFile(path, content))
  expect(await archiveNextDay({ ...archive.deps, archiveAfterDays: 2 })).toMatchObject({ day: '2026-03-12', lost: 1 })
  expect(await archiveDueDays(archive)).toBe(5)
  expect(await readEverything(archive, events)).toEqual(before)
  expect(await archive.store.list(await prefix())).toHaveLength(6)
})

test('a damaged object that has the name of a file, without a reference, is replaced', async () => {
  const events = await archive.recordWeek()
  const before = await readEverything(archive, events)
  const { store } = archive
  archive.deps.store = {
    ...store,
    putIfAbsent: async (key, bytes) => {
      if (key.includes('2026-03-12') && (await store.list(key)).length === 0)
        await store.putIfAbsent(key, bytes.slice(1))
      return store.putIfAbsent(key, bytes)
    },
  }
  await expect(archiveDueDays(archive)).rejects.toThrow('missing or damaged')
  archive.deps.store = store
  expect(await archiveDueDays(archive)).toBe(6)
  expect(await readEverything(archive, events)).toEqual(before)
})

test('archived days are deleted after their retention', async () => {
  await archive.recordWeek()
  await archiveDueDays(archive)
  await sweepArchive({ ...archive.deps, retention: { rowDays: 4 } })
  expect((await archive.walk('limit=100')).length).toBeLessThan(60)
  // Objects are as old as this test.
  const now = () => new Date(Date.now() + 2 * DAY_MS)
  await sweepArchive({ ...archive.deps, now, retention: { rowDays: 10_000 } })
  const keys = (await archive.store.list(await prefix())).map(({ key }) => key)
  expect(keys.toSorted()[0]).toContain('2026-03-16')
})

test('the delay of the archive is that of the oldest day with rows, and is exported with an object store only', async () => {
  const overdue = async (deps = archive.deps) => {
    const registry = new Registry()
    measureArchive({ ...deps, archiveAfterDays: 2 }, registry)
    return /^audit_request_log_overdue_seconds (\S+)$/m.exec(await registry.metrics())?.[1]
  }
  expect(await overdue()).toBe('0')
  const events = await archive.recordWeek()
  const oldestDay = Math.min(...events.map(({ time }) => Math.floor(Date.parse(time) / DAY_MS)))
  const dueMs = archive.deps.now().getTime() - 2 * DAY_MS
  expect(Number(await overdue())).toBeCloseTo((dueMs - (oldestDay + 1) * DAY_MS) / 1_000)
  await archiveDueDays(archive)
  expect(await overdue()).toBe('0')
  expect(await overdue({ ...archive.deps, store: undefined })).toBeUndefined()
})
