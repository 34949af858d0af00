import type { KeyUsageRequest, UsageReport } from '@tapeline/contracts/audit/http'
import type { AccountVersion } from '@tapeline/service/account-versions'
import type { PlatformSettings } from '@tapeline/service/platform-settings'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Dependencies for creating and changing keys. */
export type KeyDeps = {
  db: Kysely<Tables>
  now: () => Date
  newId: () => string
  /**
   * Writes a version to Redis, where gateways read it; false when Redis did not respond and the relay will write it.
   */
  raiseVersion: (version: AccountVersion) => Promise<boolean>
}
export type Deps = KeyDeps & {
  /** Deletes the version of a removed secret from Redis. */
  deleteVersion: (version: Pick<AccountVersion, 'accountId' | 'field'>) => Promise<void>
  /** Feature flags and global configurations, from the newest snapshot. */
  settings: PlatformSettings
  /** Throws when audit does not respond. */
  readKeyUsage: (question: KeyUsageRequest) => Promise<UsageReport>
}
