import { connectDatabase, createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { readConfig, secret } from '@tapeline/service/read-config'
import { randomUUIDv7 } from 'node:crypto'
import { Type } from 'typebox'
import { seedDemoKey } from './demo/seed-demo-key.ts'
import type { Tables } from './tables.ts'

const Environment = Type.Object({
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  /** Empty: no demo key. */
  DEMO_ACCOUNTS_FILE: Type.String({ default: '' }),
})

const environment = readConfig(Environment, process.env)
const pool = createPool({
  url: environment.DATABASE_URL,
  connectionsMax: 2,
  applicationName: 'api-key-seed',
  ...LONG_TIMEOUTS,
})
const deps = {
  db: connectDatabase<Tables>(pool),
  now: () => new Date(),
  newId: () => randomUUIDv7(),
  // The relay of the running service writes the version to Redis.
  raiseVersion: async () => false,
}

try {
  const outcome = await seedDemoKey(deps, environment.DEMO_ACCOUNTS_FILE)
  process.stdout.write(`api-key: demo key: ${outcome}\n`)
} finally {
  await pool.end()
}
