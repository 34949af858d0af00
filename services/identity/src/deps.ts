import type { Role } from '@tapeline/contracts/actor'
import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { AccountVersion } from '@tapeline/service/account-versions'
import type { Secrets } from '@tapeline/service/encryption'
import type { PlatformSettings } from '@tapeline/service/platform-settings'
import type { Kysely } from 'kysely'
import type { Provider } from './oauth/provider.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import type { SignInTries } from './sign-in-limits/sign-in-tries.ts'
import type { NoticeDeps } from './deliveries/notice-deps.ts'
import type { Tables } from './tables.ts'

/** Lifetimes from the configuration. */
export type LifeTimes = {
  resetLinkLifeMs: number
  emailLinkLifeMs: number
  deletionGraceMs: number
  /** How long an export can be downloaded, and the pause before the next one can be requested. */
  exports: { lifeMs: number; pauseMs: number }
}

type Shared = LifeTimes & NoticeDeps

export type Deps = Shared & {
  /** IDENTITY_SECRET, newest first: encrypts data that must not be readable in the database. */
  secret: Secrets
  /** Origin of the web pages: links in mails always use it. */
  webOrigin: string
  /** Recipient of contact messages; empty: none. */
  contactEmail: string
  db: Kysely<Tables>
  now: () => Date
  newId: () => string
  passwords: PasswordHasher
  /** The OpenID Connect provider. */
  provider: Provider
  tries: SignInTries
  /** Feature flags and global configurations, from the newest snapshot. */
  settings: PlatformSettings
  /** The part of a user's details that config owns; undefined when config does not respond in time. */
  findProfile: (accountId: string, role: Role) => Promise<AccountProfile | undefined>
  /**
   * Writes a version to Redis, where gateways read it; false when Redis did not respond and the relay will write it.
   */
  raiseVersion: (version: AccountVersion) => Promise<boolean>
  /** Marks a new account's counters as initialized. */
  markSeeded: (accountId: string) => Promise<boolean>
}
