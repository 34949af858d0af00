import { connectDatabase, createPool } from '@tapeline/database/connect'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { deleteOldMails } from './delete-old-mails.ts'

const { db, url, drop } = await openTestDatabase<Tables>(migrations)
const pool = createPool({ url, connectionsMax: 1, applicationName: 'delete-old-mails-test' })
afterAll(async () => {
  await pool.end()
  await drop()
})

test('more old mails than a statement may delete are deleted in batches, newer ones stay', async () => {
  await sql`
    insert into mail (id, kind, recipient, sealed_data, created_at)
    select uuidv7(), 'report', 'reports@example.com', '\\x00',
      case when n <= 300 then '2026-03-01'::timestamptz else '2026-04-01'::timestamptz end
    from generate_series(1, 303) n`.execute(db)
  // Together longer than the two seconds of a service's pool.
  await sql`
    create function delete_slowly() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(0.01);
      return old;
    end $$`.execute(db)
  await sql`create trigger slow before delete on mail for each row execute function delete_slowly()`.execute(db)
  const deps = { db: connectDatabase<Tables>(pool), now: () => new Date('2026-04-10T00:00:00Z') }
  expect(await deleteOldMails(deps, 20)).toBe(300)
  expect(await db.selectFrom('mail').select('created_at').execute()).toHaveLength(3)
})
