import type { Actor } from '@tapeline/contracts/actor'
import { EventEnvelope } from '@tapeline/contracts/event'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { type Call, callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { randomUUIDv7 } from 'node:crypto'
import { Value } from 'typebox/value'
import { createApp } from '../src/app.ts'
import type { Deps } from '../src/deps.ts'
import { migrations } from '../src/migrations/all.ts'
import type { Tables } from '../src/tables.ts'

/** The service on a database of the test, with a clock that the test controls. `close` it in afterAll. */
export async function openTestApp() {
  const database = await openTestDatabase<Tables>(migrations)
  const { db } = database
  const clock = { nowMs: Date.UTC(2026, 2, 10) }
  const deps: Deps = {
    db,
    now: () => new Date(clock.nowMs),
    newId: () => randomUUIDv7(),
    raiseVersion: async () => true,
    findEmailState: async () => ({ email_verified: true }),
    countAccounts: async () => ({ accounts: 3, of: 5 }),
    settings: fixedSettings(),
  }
  const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  return {
    app,
    db,
    deps,
    clock,
    call: async (actor: Actor, method: Call['method'], url: string, body?: unknown) => {
      const reply = await callAs(app, 'config', actor, { method, url, ...(body === undefined ? {} : { body }) })
      return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
    },
    events: async (type: string): Promise<EventEnvelope[]> => {
      const rows = await db.selectFrom('outbox').select('envelope').orderBy('position').execute()
      return rows.map(({ envelope }) => Value.Parse(EventEnvelope, envelope)).filter((event) => event.type === type)
    },
    close: async () => {
      await app.close()
      await database.drop()
    },
  }
}
