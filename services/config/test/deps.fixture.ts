import { raiseVersion } from '@tapeline/service/account-versions'
import { fixedSettings } from '@tapeline/service/platform-settings'
import type { connectRedis } from '@tapeline/service/redis'
import type { Kysely } from 'kysely'
import { randomUUIDv7 } from 'node:crypto'
import type { Deps } from '../src/deps.ts'
import type { Tables } from '../src/tables.ts'

type Clock = { nowMs: number }

/** The service's dependencies on a test's own servers, with a clock that the test controls. */
export function testDeps(
  db: Kysely<Tables>,
  redis: ReturnType<typeof connectRedis>,
  clock: Clock = { nowMs: Date.now() },
): Deps {
  return {
    db,
    now: () => new Date(clock.nowMs),
    newId: () => randomUUIDv7(),
    raiseVersion: (version) => raiseVersion(redis, version),
    findEmailState: async () => ({ email_verified: true }),
    countAccounts: async () => ({ accounts: 0, of: 0 }),
    settings: fixedSettings(),
  }
}
