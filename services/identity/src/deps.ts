import type { Role } from '@tapeline/contracts/actor'
import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { AccountVersion } from '@tapeline/service/account-versions'
import type { PlatformSettings } from '@tapeline/service/platform-settings'
import type { Kysely } from 'kysely'
import type { Provider } from './oauth/provider.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import type { SignInTries } from './sign-in-limits/sign-in-tries.ts'
import type { NoticeDeps } from './deliveries/notice-deps.ts'
import type { Tables } from './tables.ts'

/** From configuration. */
export type LifeTimes = {
  resetLinkLifeMs: number
  emailLinkLifeMs: number
  deletionGraceMs: number
  /** How long an export can be taken, and how soon after it the next one may be asked for. */
  exports: { lifeMs: number; pauseMs: number }
}

type Shared = LifeTimes & NoticeDeps

export type Deps = Shared & {
  /** IDENTITY_SECRET: seals what the database alone may not reveal. */
  secret: string
  /** Where the pages are: the only origin that a link in a mail has. */
  webOrigin: string
  /** Where messages to the operator go by mail; empty: nowhere. */
  contactEmail: string
  db: Kysely<Tables>
  now: () => Date
  newId: () => string
  passwords: PasswordHasher
  /** Who else may say who somebody is. */
  provider: Provider
  tries: SignInTries
  /** Feature flags and global configurations, as this process last heard of them. */
  settings: PlatformSettings
  /** What config adds to a user; undefined when config does not answer in time. */
  findProfile: (accountId: string, role: Role) => Promise<AccountProfile | undefined>
  /** Tells the gateways at once; false when Redis did not answer and the relay will. */
  raiseVersion: (version: AccountVersion) => Promise<boolean>
  /** Says that a new account's counters are empty. */
  markSeeded: (accountId: string) => Promise<boolean>
}
