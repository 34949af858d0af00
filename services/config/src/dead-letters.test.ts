import { execFile } from 'node:child_process'
import { randomUUIDv7 } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newEvent } from '@tapeline/contracts/event'
import { accountDeleted } from '@tapeline/contracts/identity/events'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

const { db, url, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)

test('a replayed dead letter of a deleted account deletes its settings', async () => {
  const [accountId, now] = [randomUUIDv7(), new Date()]
  const event = newEvent(accountDeleted, {
    id: randomUUIDv7(),
    time: now,
    subject: accountId,
    account: accountId,
    actor: { kind: 'service', service: 'identity' },
    data: { user_id: accountId, version: 3 },
  })
  const payload = Buffer.from(JSON.stringify(event)).toString('base64')
  const place = { topic: 'identity', partition: 0, message_offset: '7' }
  await db
    .insertInto('dead_letter')
    .values({ ...place, reason: 'no such column', payload, created_at: now })
    .execute()
  await db
    .insertInto('user_settings')
    .values({ account_id: accountId, version: 1, settings: '{"language":"fr"}', saved_at: now })
    .execute()
  const env = { ...process.env, DATABASE_URL: url }
  const command = [join(import.meta.dirname, 'dead-letters.ts'), 'replay']
  const { stdout } = await promisify(execFile)(process.execPath, command, { env })
  expect(JSON.parse(stdout)).toEqual({ restored: 1, left: 0 })
  expect(await db.selectFrom('user_settings').selectAll().execute()).toEqual([])
})
