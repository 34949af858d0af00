import { connectDatabase, createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { readDemoAccounts } from '@tapeline/service/demo-accounts'
import { readConfig, secret } from '@tapeline/service/read-config'
import { randomUUIDv7 } from 'node:crypto'
import { Type } from 'typebox'
import type { Deps } from './deps.ts'
import { seedFlags } from './flags/seed-flags.ts'
import { seedSubscription } from './subscriptions/seed-subscription.ts'
import type { Tables } from './tables.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { seedTiers } from './tiers/write-tiers.ts'

const Environment = Type.Object({
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  /** Empty: no demo accounts. */
  DEMO_ACCOUNTS_FILE: Type.String({ default: '' }),
})

const environment = readConfig(Environment, process.env)
const pool = createPool({
  url: environment.DATABASE_URL,
  connectionsMax: 2,
  applicationName: 'config-seed',
  ...LONG_TIMEOUTS,
})
const actor = { kind: 'service', service: 'config' } as const
const deps: Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion'> = {
  db: connectDatabase<Tables>(pool),
  now: () => new Date(),
  newId: () => randomUUIDv7(),
  // The relay of the running service writes the version to Redis.
  raiseVersion: async () => false,
}

try {
  const { version } = await seedTiers(deps, actor, tierDocuments)
  await seedFlags(deps)
  const { accounts } = await readDemoAccounts(environment.DEMO_ACCOUNTS_FILE)
  for (const { id, tier } of accounts) await seedSubscription(deps, actor, { account_id: id, tier })
  process.stdout.write(`config: tiers at version ${version}, flags, ${accounts.length} subscriptions\n`)
} finally {
  await pool.end()
}
