import { connectDatabase, createPool } from '@tapeline/database/connect'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { createApp } from '../src/app.ts'
import { readUsageFromAudit } from '../src/usage/read-usage-from-audit.ts'
import type { Tables } from '../src/tables.ts'

/** The service's routes without any server connected. */
export async function describedApp() {
  const pool = createPool({ url: 'postgres://never.called', connectionsMax: 1, applicationName: 'describe' })
  const deps = {
    db: connectDatabase<Tables>(pool),
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
    raiseVersion: async () => true,
    deleteVersion: async () => {},
    settings: fixedSettings(),
    readKeyUsage: readUsageFromAudit('http://127.0.0.1:1', testInternalKeys),
  }
  const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  await app.ready()
  return app
}
