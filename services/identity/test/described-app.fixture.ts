import { connectDatabase, createPool } from '@tapeline/database/connect'
import { connectRedis } from '@tapeline/service/redis'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { createApp } from '../src/app.ts'
import { createSigningKeys } from '../src/sessions/signing-keys.ts'
import type { Tables } from '../src/tables.ts'
import { testDeps } from './deps.fixture.ts'

/** The service's routes without any server connected. */
export async function describedApp() {
  const pool = createPool({ url: 'postgres://never.called', connectionsMax: 1, applicationName: 'describe' })
  const db = connectDatabase<Tables>(pool)
  const redis = connectRedis({ url: 'redis://127.0.0.1:1', logger: silentLogger, commandTimeoutMs: 2_000 })
  const deps = await testDeps(db, redis)
  const signingKeys = createSigningKeys({ db, now: deps.now, secret: 'not used to describe' })
  const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {}, signingKeys })
  app.addHook('onClose', async () => redis.disconnect())
  await app.ready()
  return app
}
