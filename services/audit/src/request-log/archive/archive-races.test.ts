import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { archiveDueDays, openArchiveTest } from '../../../test/archive.fixture.ts'
import { eraseAccounts } from '../../erasure/erase-accounts.ts'
import { insertRequests } from '../../ingest/usage-event-queries.ts'
import { readLeaves } from '../../statements/read-leaves.ts'
import { archiveNextDay } from './archive-days.ts'
import { insertArchivedDay, listFilesOfDay } from './archive-queries.ts'
import { eraseArchivedNetworks } from './erase-archived.ts'
import { findArchivedEvents } from './find-archived.ts'

const HOUR_MS = 3_600_000
const REQUESTS = 96

let archive: Awaited<ReturnType<typeof openArchiveTest>>
beforeEach(async () => {
  archive = await openArchiveTest()
})
afterEach(() => archive.close())

test('a second process does not archive while the first does', async () => {
  await archive.recordWeek()
  const { store } = archive
  const second: unknown[] = []
  archive.deps.store = {
    ...store,
    putIfAbsent: async (key, bytes) => {
      second.push(await archiveNextDay({ ...archive.deps, store, archiveAfterDays: 2 }))
      return store.putIfAbsent(key, bytes)
    },
  }
  expect(await archiveDueDays(archive)).toBe(6)
  expect(second).toEqual(Array.from({ length: 6 }, () => undefined))
  expect(await archive.walk('limit=50')).toHaveLength(REQUESTS)
})

test('a day whose rows have left the log cannot be archived again', async () => {
  await archive.recordWeek()
  await archiveDueDays(archive)
  const files = await listFilesOfDay(archive.db, '2026-03-14')
  const again = archive.db
    .transaction()
    .execute((trx) => insertArchivedDay(trx, { day: '2026-03-14', files: [], at: archive.deps.now() }))
  await expect(again).rejects.toThrow('archived_day_pkey')
  expect(await listFilesOfDay(archive.db, '2026-03-14')).toEqual(files)
})

test('a row that a former release is about to commit is not removed with its day', async () => {
  await archive.recordWeek()
  const { store, db } = archive
  const late = usageEvent({ account_id: archive.actor.userId, at: new Date('2026-03-13T23:00:00Z') })
  const inserted = Promise.withResolvers<void>()
  let writing: Promise<void> | undefined
  archive.deps.store = {
    ...store,
    getRange: async (key, from, to) => {
      // Without the lock of this release, and committed after the rows were counted.
      writing ??= db.transaction().execute(async (trx) => {
        await insertRequests(db, trx, [{ id: late.id, timeMs: Date.parse(late.time), data: late.data }])
        inserted.resolve()
        await new Promise((resolve) => setTimeout(resolve, 400))
      })
      await Promise.race([inserted.promise, writing])
      return store.getRange(key, from, to)
    },
  }
  await archiveDueDays(archive)
  await writing
  expect((await archive.walk('limit=50')).map(({ id }) => id)).toContain(late.id)
  expect(await archive.walk('limit=50')).toHaveLength(REQUESTS + 1)
})

test('the leaves of an hour are complete while its day moves', async () => {
  const events = await archive.recordWeek()
  const own = events.find(({ time, data }) => time < '2026-03-14' && data.account_id === archive.actor.userId)
  const hourAt = new Date(Math.floor(Date.parse(own?.time ?? '') / HOUR_MS) * HOUR_MS)
  const set = { accountId: archive.actor.userId, hourAt, kind: 'hour' as const }
  await archiveDueDays(archive, 30)
  const before = await readLeaves(archive.deps, set)
  let results = 0
  const moving = archive.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      results += 1
      if (results === 1) await archiveDueDays(archive)
      return result
    },
  })
  expect(await readLeaves({ ...archive.deps, db: moving }, set)).toEqual(before)
  expect(before.hashes.length).toBeGreaterThan(0)
})

test('an account whose archived days cannot be read does not keep others from being erased', async () => {
  await archive.recordWeek()
  await archiveDueDays(archive)
  const erased = [archive.actor.userId, archive.other.userId]
  for (const id of erased) {
    await sql`insert into erased_account (account_id, deleted_at) values (${id}::uuid, ${archive.deps.now()})`.execute(
      archive.db,
    )
  }
  const getRange = () => Promise.reject(new Error('damaged'))
  const erasing = eraseAccounts({ ...archive.deps, store: { ...archive.store, getRange } })
  await expect(erasing).rejects.toThrow('2 accounts were not erased completely')
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from logged_request where network <> '')::int + (select count(*) from usage_network where network <> '')::int
      as n`.execute(archive.db)
  expect(rows[0]?.n).toBe(0)
  expect(await eraseAccounts(archive.deps)).toBe(2)
  expect((await archive.walk('limit=100')).every(({ network }) => network === '')).toBe(true)
})

test('files are not replaced while another process archives, and nothing is archived while they are', async () => {
  await archive.recordWeek()
  const { store, actor } = archive
  const during: unknown[] = []
  archive.deps.store = {
    ...store,
    putIfAbsent: async (key, bytes) => {
      during.push((await eraseArchivedNetworks({ ...archive.deps, store }, [actor.userId])).erased.size)
      return store.putIfAbsent(key, bytes)
    },
  }
  expect(await archiveDueDays(archive)).toBe(6)
  archive.deps.store = {
    ...store,
    putIfAbsent: async (key, bytes) => {
      during.push(await archiveNextDay({ ...archive.deps, store, archiveAfterDays: 2 }))
      return store.putIfAbsent(key, bytes)
    },
  }
  expect((await eraseArchivedNetworks(archive.deps, [actor.userId])).erased.size).toBe(1)
  expect(during).toEqual([...Array.from({ length: 6 }, () => 0), ...Array.from({ length: 6 }, () => undefined)])
  expect(await archive.walk('limit=50')).toHaveLength(REQUESTS)
})

test('without a store, a late event of an archived day is retried', async () => {
  const [event] = await archive.recordWeek()
  await archiveDueDays(archive)
  const place = { id: event?.id ?? '', timeMs: Date.parse(event?.time ?? ''), accountId: event?.data.account_id ?? '' }
  await expect(findArchivedEvents({ db: archive.db, store: undefined }, [place])).rejects.toMatchObject({
    name: 'StoreError',
    failure: 'unavailable',
  })
  expect(await findArchivedEvents(archive.deps, [place])).toEqual(new Set([place.id]))
})
