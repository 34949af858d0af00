import type { AccountCountQuestion, Affected } from '@tapeline/contracts/config/flags'
import type { EmailState } from '@tapeline/contracts/identity/email'
import type { AccountVersion } from '@tapeline/service/account-versions'
import type { PlatformSettings } from '@tapeline/service/platform-settings'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export type Deps = {
  db: Kysely<Tables>
  now: () => Date
  newId: () => string
  /** Tells the gateways at once; false when Redis did not answer and the relay will. */
  raiseVersion: (version: AccountVersion) => Promise<boolean>
  /** Asks identity; undefined: there is no such account. */
  findEmailState: (accountId: string) => Promise<EmailState | undefined>
  /** Asks identity how many active accounts of a role lie in a flag's share. */
  countAccounts: (question: AccountCountQuestion) => Promise<Affected>
  /** This process's own copy: what it goes by while its database is away. */
  settings: PlatformSettings
}
