import { setTimeout as sleep } from 'node:timers/promises'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { migrateDatabase } from './migrate.ts'

const ROUNDS = 60
const RECEIVED_WITHIN_MS = 50

const { url, drop } = await openTestDatabase({})
const cutter = new pg.Client({ connectionString: testServers().databaseUrl })
await cutter.connect()
afterAll(async () => {
  await cutter.end()
  await drop()
})

test('a connection that breaks while the migration closes it does not end the process', async () => {
  const uncaught: unknown[] = []
  const note = (error: unknown) => uncaught.push(error)
  process.on('uncaughtException', note)
  const database = new URL(url).pathname.slice(1)
  for (let round = 0; round < ROUNDS; round += 1) {
    await migrateDatabase(url, {})
    await cutter.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
  }
  await sleep(RECEIVED_WITHIN_MS)
  process.off('uncaughtException', note)
  expect(uncaught).toEqual([])
})
