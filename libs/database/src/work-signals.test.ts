import { startFaultProxy } from '@tapeline/testing/fault-proxy'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { announceTable, announceWork, listenForWork } from './work-signals.ts'

const database = await openTestDatabase<unknown>({})
const { db } = database
const signals = listenForWork({ connectionString: database.url, application_name: 'work-signals' })
let calls = 0
const end = signals.on('mail', () => (calls += 1))

beforeAll(async () => {
  await sql`create table mail (id int)`.execute(db)
  await announceTable(db, { table: 'mail', orUpdateOf: 'id' })
  await waitUntil('it listens', () => signals.isListening())
})
afterAll(async () => {
  await signals.stop()
  await database.drop()
})

test('work is announced with the commit, once per transaction, and not after a rollback', async () => {
  calls = 0
  await db.transaction().execute(async (trx) => {
    await announceWork(trx, 'mail')
    await sql`insert into mail values (1), (2)`.execute(trx)
    expect(calls).toBe(0)
  })
  await waitUntil('it is announced', () => calls > 0)
  const rolledBack = db.transaction().execute(async (trx) => {
    await sql`insert into mail values (3)`.execute(trx)
    throw new Error('changed my mind')
  })
  await expect(rolledBack).rejects.toThrow('changed my mind')
  await db.transaction().execute((trx) => announceWork(trx, 'other'))
  await sql`insert into mail values (4)`.execute(db)
  await waitUntil('the last is announced', () => calls > 1)
  expect(calls).toBe(2)
  await sql`update mail set id = 5 where id = 4`.execute(db)
  await waitUntil('the update is announced', () => calls > 2)
})

test('a lost connection is re-established, and missed work is looked for', async () => {
  calls = 0
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'work-signals'`.execute(db)
  await waitUntil('the loss is detected', () => !signals.isListening())
  await waitUntil('it listens again', () => signals.isListening())
  expect(calls).toBe(1)
})

test('a listener that ended is not called', async () => {
  calls = 0
  let others = 0
  const endOther = signals.on('mail', () => (others += 1))
  end()
  await sql`insert into mail values (5)`.execute(db)
  await waitUntil('the other is called', () => others === 1)
  endOther()
  expect(calls).toBe(0)
})

test('a connection whose server has vanished silently is replaced, and missed work is looked for', async () => {
  const proxy = await startFaultProxy(database.url)
  const address = new URL(database.url)
  address.host = `127.0.0.1:${proxy.port}`
  const own = listenForWork({ connectionString: address.href, checkEveryMs: 200 })
  let looks = 0
  own.on('mail', () => (looks += 1))
  try {
    await waitUntil('it listens', () => own.isListening())
    proxy.setFault('hang')
    await sql`insert into mail values (6)`.execute(db)
    await waitUntil('the loss is detected', () => !own.isListening())
    proxy.setFault('pass')
    await waitUntil('it listens again', () => own.isListening())
    expect(looks).toBe(2)
    await sql`insert into mail values (7)`.execute(db)
    await waitUntil('the new work is announced', () => looks === 3)
  } finally {
    await own.stop()
    await proxy.stop()
  }
})
