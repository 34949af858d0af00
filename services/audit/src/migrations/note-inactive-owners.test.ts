import { migrateDatabase } from '@tapeline/database/migrate'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Tables } from '../tables.ts'
import { migrations } from './all.ts'

const NAME = '0083-note-inactive-owners'
const earlier = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < NAME))

const { db, url, drop } = await openTestDatabase<Tables>(earlier)
afterAll(drop)

/** An account with an endpoint and these statuses in its trail, the oldest first. */
async function newAccount(statuses: readonly string[], type = 'identity.status-changed.v1'): Promise<string> {
  const id = crypto.randomUUID()
  await sql`
    insert into webhook_endpoint (id, account_id, tier, name, url, event_types, state, encrypted_secret, created_at)
    values (${crypto.randomUUID()}, ${id}, 'pro', 'hook', 'https://example.com', '{}', 'active', '', now())`.execute(db)
  for (const status of statuses) {
    await sql`
      insert into audit_trail (id, scope, time, account_id, actor_kind, type, subject, after, details, hash)
      values (${crypto.randomUUID()}, ${id}, now(), ${id}, 'user', ${type}, ${id}, ${JSON.stringify({ status })}::jsonb,
              '{}', '')`.execute(db)
  }
  return id
}

test('endpoints that existed before the upgrade get no webhooks if their owner’s last status is inactive', async () => {
  const inactive = await newAccount(['active', 'inactive'])
  const active = await newAccount(['inactive', 'active'])
  const unchanged = await newAccount([])
  const other = await newAccount(['inactive'], 'identity.role-changed.v1')
  expect(await migrateDatabase(url, migrations)).toContain(NAME)
  const rows = await db.selectFrom('webhook_endpoint').select(['account_id', 'is_owner_active']).execute()
  expect(new Map(rows.map((row) => [row.account_id, row.is_owner_active]))).toEqual(
    new Map([
      [inactive, false],
      [active, true],
      [unchanged, true],
      [other, true],
    ]),
  )
})
