import { randomUUIDv7 } from 'node:crypto'
import { connectDatabase, createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { readDemoAccounts } from '@tapeline/service/demo-accounts'
import { readConfig, secret } from '@tapeline/service/read-config'
import { Type } from 'typebox'
import { passwordFields, passwordSettings } from './config.ts'
import type { Tables } from './tables.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { seedDemoAccount } from './users/seed-demo-account.ts'

const Environment = Type.Object({
  ...passwordFields,
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  /** Empty: no demo accounts. */
  DEMO_ACCOUNTS_FILE: Type.String({ default: '' }),
})

const environment = readConfig(Environment, process.env)
const pool = createPool({
  url: environment.DATABASE_URL,
  connectionsMax: 2,
  applicationName: 'identity-seed',
  ...LONG_TIMEOUTS,
})
try {
  const { accounts } = await readDemoAccounts(environment.DEMO_ACCOUNTS_FILE)
  const deps = {
    db: connectDatabase<Tables>(pool),
    now: () => new Date(),
    newId: () => randomUUIDv7(),
    passwords: await createPasswordHasher(passwordSettings(environment)),
  }
  for (const account of accounts) await seedDemoAccount(deps, account)
  process.stdout.write(`identity: ${accounts.length} demo accounts\n`)
} finally {
  await pool.end()
}
