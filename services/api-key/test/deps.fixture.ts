import type { UserActor } from '@tapeline/contracts/actor'
import type { CreateKey } from '@tapeline/contracts/api-key/http'
import { deleteVersion, raiseVersion } from '@tapeline/service/account-versions'
import { fixedSettings } from '@tapeline/service/platform-settings'
import type { connectRedis } from '@tapeline/service/redis'
import { testInternalKeys } from '@tapeline/testing/call-as'
import type { Kysely } from 'kysely'
import { randomUUIDv7 } from 'node:crypto'
import { readUsageFromAudit } from '../src/usage/read-usage-from-audit.ts'
import { createKey } from '../src/keys/create-key.ts'
import type { Deps } from '../src/deps.ts'
import type { Tables } from '../src/tables.ts'

type Clock = { nowMs: number }

/** The service's dependencies on a test's own servers, with a clock that the test controls. */
export function testDeps(
  db: Kysely<Tables>,
  redis: ReturnType<typeof connectRedis>,
  clock: Clock = { nowMs: Date.now() },
  auditUrl = 'http://127.0.0.1:1',
): Deps {
  return {
    db,
    now: () => new Date(clock.nowMs),
    newId: () => randomUUIDv7(),
    raiseVersion: (version) => raiseVersion(redis, version),
    deleteVersion: (version) => deleteVersion(redis, version),
    settings: fixedSettings(),
    readKeyUsage: readUsageFromAudit(auditUrl, testInternalKeys),
  }
}

type MadeKey = { id: string; kid: string; apiKey: string }

export async function makeKey(deps: Deps, actor: UserActor, input: CreateKey): Promise<MadeKey> {
  const { apiKey, key } = await createKey(deps, actor, input)
  return { id: key.id, kid: kidOf(apiKey), apiKey }
}

export function kidOf(apiKey: string): string {
  return apiKey.split('_')[2] ?? ''
}
