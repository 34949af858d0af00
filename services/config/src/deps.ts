import type { AccountCountRequest, Affected } from '@tapeline/contracts/config/flags'
import type { EmailState } from '@tapeline/contracts/identity/email'
import type { AccountVersion } from '@tapeline/service/account-versions'
import type { PlatformSettings } from '@tapeline/service/platform-settings'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export type Deps = {
  db: Kysely<Tables>
  now: () => Date
  newId: () => string
  /**
   * Writes a version to Redis, where gateways read it; false when Redis did not respond and the relay will write it.
   */
  raiseVersion: (version: AccountVersion) => Promise<boolean>
  /** Reads the address state from identity; undefined when the account does not exist. */
  findEmailState: (accountId: string) => Promise<EmailState | undefined>
  /** Counts, at identity, the active accounts of a role in a flag's rollout. */
  countAccounts: (question: AccountCountRequest) => Promise<Affected>
  /** This process's snapshot, used while its database is unavailable. */
  settings: PlatformSettings
}
