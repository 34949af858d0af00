import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import { newEvent } from '@tapeline/contracts/event'
import { accountDeleted } from '@tapeline/contracts/identity/events'
import { someUser } from '@tapeline/testing/actors'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { openTemporaryStore } from '../../test/temporary-store.fixture.ts'
import { eraseTrail } from '../erasure/erase-trail.ts'
import { canonicalJson } from '../evidence/canonical-json.ts'
import { createSigner } from '../evidence/signatures.ts'
import type { Tables } from '../tables.ts'
import { hashStoredEntry, NO_HASH } from '../trail/hash-entry.ts'
import { recordInTrail } from '../trail/record-in-trail.ts'
import { anchorKey } from './anchor-object.ts'
import { anchorTrail } from './anchor-trail.ts'
import { verifyAnchoredTrail } from './verify-anchored-trail.ts'

type App = Awaited<ReturnType<typeof openTestApp>>
let app: App
let store: Awaited<ReturnType<typeof openTemporaryStore>>
const actor = someUser()
let ids: string[] = []

beforeEach(async () => {
  app = await openTestApp('2026-03-10T12:34:56.789Z')
  store = await openTemporaryStore()
  ids = []
  await record(6)
})
afterEach(async () => {
  await app.close()
  await store.remove()
})

async function record(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const id = app.deps.newId()
    ids.push(id)
    const data = { key_id: 'key-1', kid: 'k1', account_id: actor.userId, name: 'ci', version: n }
    const about = { id, time: app.ago(60 - ids.length), subject: 'key-1', account: actor.userId, actor, network: null }
    const event = newEvent(apiKeyCreated, { ...about, data })
    await app.db.transaction().execute((trx) => recordInTrail(trx, [event]))
  }
}

const anchor = (entriesMax?: number) => anchorTrail({ db: app.db, now: app.deps.now, ...store }, entriesMax)
const verify = (db: Kysely<Tables> = app.db) =>
  verifyAnchoredTrail({
    db,
    store: store.store,
    publicKeys: store.signer.publicKeys,
    startedAt: new Date('2026-03-11'),
  })

/** As a superuser can: without the trigger. */
async function tamper(...statements: ReturnType<typeof sql>[]): Promise<void> {
  await sql`alter table audit_trail disable trigger audit_trail_is_append_only`.execute(app.db)
  for (const statement of statements) await statement.execute(app.db)
  await sql`alter table audit_trail enable trigger audit_trail_is_append_only`.execute(app.db)
}

/** Makes all chains consistent again after a change, as a forger who knows the rules would. */
async function rehashEverything(): Promise<void> {
  const heads = new Map<string, Buffer>()
  const rows = await app.db.selectFrom('audit_trail').selectAll().orderBy('position').execute()
  for (const { position: _position, time, ...row } of rows) {
    const entry = { ...row, time: time.toISOString() }
    const hash = hashStoredEntry(heads.get(row.scope) ?? NO_HASH, entry)
    if (hash === undefined) throw new Error('the personal part has to be hashed first')
    await tamper(sql`update audit_trail set hash = ${hash} where id = ${row.id}::uuid`)
    heads.set(row.scope, hash)
  }
  await sql`delete from audit_trail_head`.execute(app.db)
  for (const [scope, hash] of heads) await app.db.insertInto('audit_trail_head').values({ scope, hash }).execute()
}

test('an unmodified trail is valid, with several anchors and with entries that are not anchored yet', async () => {
  expect(await anchor(4)).toBe(2)
  await record(3)
  expect(await verify()).toEqual({
    isRight: true,
    entries: 9,
    chains: 1,
    anchors: 2,
    anchored_entries: 6,
    anchored_at: '2026-03-10T12:34:56.789Z',
    fault: null,
  })
  expect(await anchor()).toBe(1)
  expect(await anchor()).toBe(1)
  expect(await verify()).toMatchObject({ isRight: true, anchors: 4, anchored_entries: 9 })
})

test('an altered entry is named, also when the forger hashed the chain again', async () => {
  await anchor()
  await tamper(sql`update audit_trail set subject = 'key-2' where id = ${ids[2]}::uuid`)
  expect((await verify()).fault).toMatchObject({ kind: 'altered', entry: ids[2] })
  await rehashEverything()
  expect((await verify()).fault).toMatchObject({ kind: 'altered', entry: ids[2] })
})

test('altered personal data is named', async () => {
  await anchor()
  await tamper(sql`update audit_trail set network = '203.0.113.0/24' where id = ${ids[4]}::uuid`)
  expect((await verify()).fault).toMatchObject({ kind: 'altered', entry: ids[4] })
})

test('a removed entry is named, also when the forger hashed the chain again', async () => {
  await anchor()
  await tamper(sql`delete from audit_trail where id = ${ids[1]}::uuid`)
  expect((await verify()).fault).toMatchObject({ kind: 'removed', entry: ids[1] })
  await rehashEverything()
  expect((await verify()).fault).toMatchObject({ kind: 'removed', entry: ids[1] })
})

test('reordered entries are named by the first of them', async () => {
  await anchor()
  const [a, b] = [ids[1], ids[3]]
  const places = await app.db.selectFrom('audit_trail').select(['id', 'position']).orderBy('position').execute()
  const [placeA, placeB] = [places[1]?.position, places[3]?.position]
  const move = (id: string | undefined, to: string | undefined) =>
    sql`update audit_trail set position = ${to}::bigint where id = ${id}::uuid`
  await sql`alter table audit_trail alter column position drop identity`.execute(app.db)
  await tamper(move(a, '1000'), move(b, placeA), move(a, placeB))
  expect((await verify()).fault).toMatchObject({ kind: 'reordered', entry: a })
  await rehashEverything()
  expect((await verify()).fault).toMatchObject({ kind: 'reordered', entry: a })
})

test('a trail truncated at its end is detected, and the first missing entry named', async () => {
  await anchor()
  await tamper(sql`delete from audit_trail where id in (${ids[4]}::uuid, ${ids[5]}::uuid)`)
  await rehashEverything()
  await sql`delete from trail_anchor`.execute(app.db)
  expect((await verify()).fault).toMatchObject({ kind: 'truncated', entry: ids[4] })
})

test('an inserted entry is named', async () => {
  // Position 7 was assigned to a transaction that failed.
  await sql`select nextval(pg_get_serial_sequence('audit_trail', 'position'))`.execute(app.db)
  await record(2)
  await anchor()
  const forged = app.deps.newId()
  await sql`alter table audit_trail alter column position drop identity`.execute(app.db)
  await tamper(
    sql`insert into audit_trail select (jsonb_populate_record(t, jsonb_build_object('id', ${forged}::text,
      'position', 7))).* from audit_trail t where id = ${ids[3]}::uuid`,
  )
  expect((await verify()).fault).toMatchObject({ kind: 'added', entry: forged, position: '7' })
})

test('before its first anchor, the entry that breaks its chain is named', async () => {
  await tamper(sql`delete from audit_trail where id = ${ids[1]}::uuid`)
  expect((await verify()).fault).toMatchObject({ kind: 'unchained', entry: ids[2] })
})

test('an erased account’s entries stay verifiable; entries erased without a deletion are named', async () => {
  await anchor()
  await app.db.transaction().execute((trx) => eraseTrail(trx, actor.userId, 2))
  expect((await verify()).fault).toMatchObject({ kind: 'erased', entry: ids[0] })
  const deletion = newEvent(accountDeleted, {
    id: app.deps.newId(),
    time: app.ago(0),
    subject: actor.userId,
    account: actor.userId,
    actor,
    network: null,
    data: { user_id: actor.userId, version: 1 },
  })
  await app.db.transaction().execute((trx) => recordInTrail(trx, [deletion]))
  expect(await verify()).toMatchObject({ isRight: true, entries: 7 })
  const { rows } = await sql`select 1 from audit_trail where details <> '{}' and type like 'api-key%'`.execute(app.db)
  expect(rows).toEqual([])
})

test('an anchor that is missing, changed or signed by another key is reported', async () => {
  await anchor(4)
  const file = join(store.folder, anchorKey(2))
  const text = await readFile(file, 'utf8')
  await rm(file)
  expect((await verify()).fault).toMatchObject({ kind: 'anchor', text: 'anchor 2 is missing' })
  await writeFile(file, text.replace(ids[5] ?? '', app.deps.newId()))
  expect((await verify()).fault).toMatchObject({ kind: 'anchor', text: 'anchor 2 is damaged' })
  await writeFile(file, text)
  expect(await verify()).toMatchObject({ isRight: true })
  store.signer = createSigner('another-secret-0123456789abcdefghij')
  expect((await verify()).fault).toMatchObject({ text: 'anchor 1 is not signed by a trusted key' })
})

test('entries of earlier releases get hashes that survive an erasure before they are anchored', async () => {
  const rows = await app.db.selectFrom('audit_trail').selectAll().orderBy('position').execute()
  let previous: Buffer = NO_HASH
  for (const { position: _p, hash: _h, personal_hash: _ph, salt: _s, time, ...entry } of rows) {
    const old = { ...entry, time: time.toISOString() }
    previous = createHash('sha256').update(previous).update(canonicalJson(old)).digest()
    await tamper(
      sql`update audit_trail set hash = ${previous}, salt = null, personal_hash = null where id = ${entry.id}::uuid`,
    )
  }
  await sql`update audit_trail_head set hash = ${previous}`.execute(app.db)
  expect(await verify()).toMatchObject({ isRight: true, entries: 6 })
  await anchor()
  expect(await verify()).toMatchObject({ isRight: true, entries: 6, anchored_entries: 6 })
  expect(await app.db.selectFrom('audit_trail').select('id').where('salt', 'is', null).execute()).toEqual([])
})
