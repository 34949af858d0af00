import { createPool } from '@tapeline/database/connect'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { createApp } from '../src/app.ts'
import { createDeps } from '../src/deps.ts'

/** The service as its routes describe it; no server is connected. */
export async function describedApp() {
  const pool = createPool({ url: 'postgres://never.called', connectionsMax: 1, applicationName: 'describe' })
  const deps = createDeps(pool, () => new Date(), 'not used to describe, but long enough')
  const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  await app.ready()
  return app
}
