import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { apiKeyUpdated } from '@tapeline/contracts/api-key/events'
import { newEvent } from '@tapeline/contracts/event'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { recordInTrail } from './record-in-trail.ts'

const { db, deps, ago, get, close } = await openTestApp('2026-03-10T12:34:56.789Z')
const actor = someUser()
/** More than two pages. */
const ENTRIES = 2_100
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tapeline-trail-'))
  const events = Array.from({ length: ENTRIES }, (_, n) =>
    newEvent(apiKeyUpdated, {
      id: deps.newId(),
      time: ago(ENTRIES - n),
      subject: 'key-1',
      account: actor.userId,
      actor,
      network: n === 7 ? null : '192.0.2.0/24',
      data: {
        key_id: 'key-1',
        kid: 'k1',
        account_id: actor.userId,
        name: 'ci',
        version: n,
        before: { name: 'ü' },
        after: { name: `n${n}` },
      },
    }),
  )
  await db.transaction().execute((trx) => recordInTrail(trx, events))
})
afterAll(async () => {
  await close()
  await rm(folder, { recursive: true })
})

test('JSON lines contain every entry of the range once, as the list shows it', async () => {
  const reply = await get(actor, `audit-trail/export?from=${ago(2_050).toISOString()}`)
  expect(reply.headers['content-type']).toContain('application/jsonl')
  const entries = reply.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string })
  expect(entries).toHaveLength(2_050)
  expect(new Set(entries.map(({ id }) => id)).size).toBe(2_050)
  const page = await get(actor, 'audit-trail?limit=3')
  expect(entries.slice(0, 3)).toEqual(page.json().data.entries)
  expect((await get(someUser(), 'audit-trail/export')).body).toBe('')
  expect((await get(someUser(), `audit-trail/export?account=${actor.userId}`)).json()).toMatchObject({ status: 404 })
})

test('DuckDB reads the same entries from the Parquet file', async () => {
  const reply = await get(actor, 'audit-trail/export?format=parquet')
  const file = join(folder, 'trail.parquet')
  await writeFile(file, reply.rawPayload)
  const duck = await (await DuckDBInstance.create(':memory:')).connect()
  const read = await duck.runAndReadAll(
    `select count(*)::int as entries, count(distinct id)::int as ids, count(network)::int as networks,
      min(time)::varchar as first, max(json_extract_string("after", '$.name')) as name,
      max(length(hash))::int as hash from '${file}'`,
  )
  expect(read.getRowObjects()).toEqual([
    {
      entries: ENTRIES,
      ids: ENTRIES,
      networks: ENTRIES - 1,
      first: ago(ENTRIES).toISOString().replace('T', ' ').replace('Z', ''),
      name: 'n999',
      hash: 64,
    },
  ])
  duck.closeSync()
})
