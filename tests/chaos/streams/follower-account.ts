import { setLimits, setTier } from '@tapeline/testing/set-subscription'
import type { Field } from '../drill.ts'
import { type Account, newAccount } from '../load.ts'

/** A killed gateway's connections count for up to 10 s more, so reconnecting subscribers need room. */
const LIMITS = { streamConnections: 100_000, streamMessagesPerSecond: 10_000 }

/** An account that reads all history and has as many streams as a drill opens. */
export async function followerAccount(field: Field): Promise<Account> {
  const { platform } = field
  const account = await newAccount(field)
  const addresses = { configDatabaseUrl: platform.databaseUrls.config, redisUrl: platform.addresses.redisUrl }
  await setTier(addresses, account.accountId, 'pro')
  await setLimits(addresses, account.accountId, LIMITS)
  return account
}
