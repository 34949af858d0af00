import type { KeyUsageQuestion, UsageReport } from '@tapeline/contracts/audit/http'
import type { AccountVersion } from '@tapeline/service/account-versions'
import type { PlatformSettings } from '@tapeline/service/platform-settings'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** What it takes to make and change keys. */
export type KeyDeps = {
  db: Kysely<Tables>
  now: () => Date
  newId: () => string
  /** Tells the gateways at once; false when Redis did not answer and the relay will. */
  raiseVersion: (version: AccountVersion) => Promise<boolean>
}
export type Deps = KeyDeps & {
  /** Takes the version of a secret that is gone out of Redis. */
  forgetVersion: (version: Pick<AccountVersion, 'accountId' | 'field'>) => Promise<void>
  /** Feature flags and global configurations, as this process last heard of them. */
  settings: PlatformSettings
  /** Throws when audit does not answer. */
  readKeyUsage: (question: KeyUsageQuestion) => Promise<UsageReport>
}
