import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { archivedRequest } from '../../../test/archive.fixture.ts'
import { anyDecision, anyRejectedFields, count } from '../../../test/decisions.fixture.ts'
import { rollingTraffic } from '../../../test/rolling-traffic.fixture.ts'
import { openTemporaryStore } from '../../../test/temporary-store.fixture.ts'
import { requestOf } from './archive-rows.ts'
import { putFile, verifyFile } from './archive-file.ts'
import type { ArchivedRequest } from './archived-request.ts'
import { readEncodedGroup, readRowGroup, readRowGroups } from './read-archive.ts'
import { GROUP_ROWS, ArchiveWriter } from './write-archive.ts'

const { store, folder, remove } = await openTemporaryStore()
afterAll(remove)

async function write(requests: readonly ArchivedRequest[], day = '2026-03-01') {
  const writer = new ArchiveWriter()
  await writer.add(requests)
  return putFile(store, { archiveId: 'test', day, number: 1, writer })
}

async function readAll(file: Awaited<ReturnType<typeof write>>): Promise<ArchivedRequest[]> {
  const groups = await readRowGroups(store, file)
  const rows = await Promise.all(groups.map((group) => readRowGroup(store, file, group)))
  return rows.flat().map(requestOf)
}

test('any request is read as it was written', async () => {
  const request = fc
    .record({
      decision: anyDecision,
      upstream_latency_us: fc.option(count),
      latency_us: count,
      bytes_in: fc.nat(),
      bytes_out: count,
      rows_returned: fc.option(fc.nat()),
      rejected_fields: anyRejectedFields,
      kid: fc.option(fc.string()),
      code: fc.option(fc.constantFrom('limit.minute_exceeded', 'request.invalid')),
      status: fc.integer({ min: 100, max: 599 }),
      timeUs: fc.integer({ min: 0, max: 4_000_000_000_000_000 }),
    })
    .map(archivedRequest)
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 20 }), async (requests) => {
      expect(await readAll(await write(requests))).toEqual(requests)
    }),
    { seed: PROPERTY_SEED, numRuns: 60 },
  )
})

test('a file has row groups with bounds, single columns, and opens in DuckDB', async () => {
  const requests = Array.from({ length: GROUP_ROWS + 10 }, (_, n) =>
    archivedRequest({ account: n < GROUP_ROWS ? 7 : 9, timeUs: 1_772_323_200_000_123 + n * 1_000, bytes_out: n }),
  )
  const file = await write(requests)
  expect(file).toMatchObject({ rows: requests.length, firstAccount: 7, lastAccount: 9 })
  const groups = await readRowGroups(store, file)
  expect(groups).toMatchObject([
    { firstRow: 0, rows: GROUP_ROWS, firstAccount: 7, lastAccount: 7, firstMs: 1_772_323_200_000 },
    { firstRow: GROUP_ROWS, rows: 10, firstAccount: 9, lastAccount: 9 },
  ])
  const [, second] = groups
  if (second === undefined) throw new Error('there are two groups')
  const ids = await readRowGroup(store, file, second, ['request_id'])
  expect(ids.map((row) => Buffer.from(row.request_id as Uint8Array).toString('hex'))).toEqual(
    requests.slice(GROUP_ROWS).map(({ request_id }) => request_id),
  )
  const duck = await (await DuckDBInstance.create(':memory:')).connect()
  const found = await duck.runAndReadAll(
    `select epoch_ms(time) * 1000 + time_us as time_us, id::text as id, replace(request_id::text, '-', '') as request_id,
      route, status, bytes_out, gateway_latency_us + upstream_latency_us as latency_us, verdict
    from '${join(folder, file.key)}' order by time, time_us`,
  )
  duck.closeSync()
  expect(found.getRowObjects()).toEqual(
    requests.map(({ timeUs, id, request_id, route, status, bytes_out, latency_us, decision }) => ({
      time_us: BigInt(timeUs),
      id,
      request_id,
      route,
      status,
      bytes_out: BigInt(bytes_out),
      latency_us: BigInt(latency_us),
      verdict: decision.verdict,
    })),
  )
})

test('a file of copied and new row groups is read as one that was written at once, also by DuckDB', async () => {
  // Texts of more than a megabyte take several pages of a column.
  const groupOf = (account: number) =>
    Array.from({ length: 3_000 }, (_, n) =>
      archivedRequest({ account, kid: `${account} ${n} `.padEnd(500, 'k'), timeUs: 1_772_323_200_000_123 + n * 1_000 }),
    )
  const groups = [7, 8, 9].map(groupOf)
  const writer = new ArchiveWriter()
  for (const group of groups) await writer.addGroup(group)
  const before = await putFile(store, { archiveId: 'test', day: '2026-03-03', number: 1, writer })
  const [first, , third] = await readRowGroups(store, before)
  if (first === undefined || third === undefined) throw new Error('there are three groups')
  const changed = (groups[1] ?? []).map((one) => ({ ...one, network: '' }))
  const again = new ArchiveWriter()
  await again.copyGroup(await readEncodedGroup(store, before, first))
  await again.addGroup(changed)
  await again.copyGroup(await readEncodedGroup(store, before, third))
  const after = await putFile(store, { archiveId: 'test', day: '2026-03-03', number: 1, writer: again })
  expect(after).toMatchObject({ rows: 9_000, firstAccount: 7, lastAccount: 9 })
  expect(await readRowGroups(store, after)).toMatchObject([
    { ...first, from: 4 },
    { firstRow: 3_000, firstAccount: 8, lastAccount: 8 },
    { firstRow: 6_000, rows: 3_000, firstAccount: 9, lastAccount: 9, firstMs: third.firstMs, crc32: third.crc32 },
  ])
  const requests = [groups[0] ?? [], changed, groups[2] ?? []].flat()
  expect(await readAll(after)).toEqual(requests)
  const duck = await (await DuckDBInstance.create(':memory:')).connect()
  const found = await duck.runAndReadAll(`select account, time_us, kid, network from '${join(folder, after.key)}'`)
  duck.closeSync()
  expect(found.getRowObjects()).toEqual(
    requests.map(({ account, timeUs, kid, network }) => ({ account, time_us: timeUs % 1_000, kid, network })),
  )
})

test('a damaged byte is an error, and never another request', async () => {
  const requests = Array.from({ length: 200 }, (_, n) => archivedRequest({ bytes_out: n, timeUs: 1_000_000 * n }))
  const file = await write(requests)
  const path = join(folder, file.key)
  const content = Buffer.from(await store.getRange(file.key, 0, file.bytes))
  const wrong: number[] = []
  for (let at = 8; at < content.length; at += 97) {
    const damaged = Buffer.from(content)
    damaged.writeUInt8((content[at] ?? 0) ^ 0x10, at)
    await writeFile(path, damaged)
    await expect(verifyFile(store, file)).rejects.toThrow('damaged')
    // Another store has no footers of this file yet.
    const fresh = { ...store }
    const read = await readRowGroups(fresh, file)
      .then((groups) => Promise.all(groups.map((group) => readRowGroup(fresh, file, group))))
      .then((rows) => rows.flat().map(requestOf))
      .catch(() => undefined)
    if (read !== undefined && JSON.stringify(read) !== JSON.stringify(requests)) wrong.push(at)
  }
  await writeFile(path, content)
  expect(await readAll(file)).toEqual(requests)
  expect(wrong).toEqual([])
})

test('a request takes at most 40 bytes', async () => {
  const requests = Array.from({ length: 5 }, (_, account) =>
    rollingTraffic({ account: account + 1, rows: 2 * GROUP_ROWS, startsAt: '2026-03-02T00:00:00Z', everyMs: 1_000 }),
  ).flat()
  const file = await write(requests, '2026-03-02')
  expect(file.bytes / file.rows).toBeLessThanOrEqual(40)
})
