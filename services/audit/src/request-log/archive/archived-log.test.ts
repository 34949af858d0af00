import type { SignedStatement } from '@tapeline/contracts/audit/statements'
import { StoreError } from '@tapeline/objects/object-store'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { archiveDueDays, openArchiveTest, readEverything } from '../../../test/archive.fixture.ts'
import { verifyUsage } from '../../reconciliation/verify-usage.ts'
import { proofFault } from '../../statements/verify-statement.ts'

let archive: Awaited<ReturnType<typeof openArchiveTest>>
beforeEach(async () => {
  archive = await openArchiveTest()
})
afterEach(() => archive.close())

test('archived requests are listed, filtered, found, exported, counted and replayed as before', async () => {
  const events = await archive.recordWeek()
  const before = await readEverything(archive, events)
  expect(before.whole).toHaveLength(96)
  expect([before.ofLatest, before.ofOther]).toEqual(['logged_request.not_found', 'logged_request.not_found'])
  expect(before.networks.length).toBeGreaterThan(1)
  expect(await archiveDueDays(archive)).toBe(6)
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from request_log`.execute(archive.db)
  expect(rows[0]?.rows).toBeLessThan(50)
  expect(await readEverything(archive, events)).toEqual(before)
  expect(await archiveDueDays(archive)).toBe(0)
  expect(await verifyUsage(archive.db, null)).toMatchObject({ isRight: true, archivedDays: [] })
})

test('a request of an archived day is proved to be in its statement', async () => {
  const events = await archive.recordWeek()
  await archiveDueDays(archive)
  const some = events.filter(({ time, data }) => time < '2026-03-17' && data.account_id === archive.actor.userId)
  for (const { data } of [some[0], some[13], some.at(-1)].flatMap((one) => one ?? [])) {
    const { data: proof } = await archive.getJson(`statements/2026-03/proof?request_id=${data.request_id}`)
    const signed = (await archive.getJson('statements/2026-03')).data as SignedStatement
    expect(proof.row.request_id).toBe(data.request_id)
    expect(proofFault(signed, proof)).toBeUndefined()
  }
})

test('without the object store, recent requests are listed, and the page of archived ones is a 503', async () => {
  const events = await archive.recordWeek()
  const whole = await archive.walk('limit=100')
  await archiveDueDays(archive)
  const unavailable = () => Promise.reject(new StoreError('unavailable', 'connect ECONNREFUSED'))
  archive.deps.store = { ...archive.store, getRange: unavailable }
  const page = (await archive.getJson('requests?limit=10')).data
  expect(page.requests).toEqual(whole.slice(0, 10))
  // What could be read is returned, and the next page begins with what could not.
  const partial = (await archive.getJson('requests?limit=100')).data
  expect(partial.requests).toEqual(whole.slice(0, partial.requests.length))
  expect(partial.requests.length).toBeGreaterThan(10)
  const reply = await archive.get(archive.actor, `requests?cursor=${partial.next_cursor}`)
  expect(reply.statusCode).toBe(503)
  expect(reply.headers['retry-after']).toBe('5')
  expect(reply.json()).toMatchObject({
    code: 'service.unavailable',
    message: 'Requests of 2026-03-17 cannot be read at the moment. Retry in 5 s.',
  })
  archive.deps.store = archive.store
  const following = (await archive.getJson(`requests?limit=100&cursor=${partial.next_cursor}`)).data
  expect([...partial.requests, ...following.requests]).toEqual(whole)
  archive.deps.store = { ...archive.store, getRange: unavailable }
  const late = usageEvent({ account_id: archive.actor.userId, at: new Date(events[0]?.time ?? '') })
  await expect(archive.record(late)).rejects.toThrow('ECONNREFUSED')
  archive.deps.store = archive.store
  await archive.record(late)
  expect(await archive.walk('limit=100')).toHaveLength(whole.length + 1)
})
