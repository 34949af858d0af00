import type { UserActor } from '@tapeline/contracts/actor'
import type { PlatformSettings } from '@tapeline/service/platform-settings'
import type { ObjectStore } from '@tapeline/objects/object-store'
import type { Kysely } from 'kysely'
import type { Signer } from './evidence/signatures.ts'
import type { Limiter } from './reconciliation/limiter.ts'
import type { Tables } from './tables.ts'

/** Days for which rows and sums per minute are kept; coarser sums are kept indefinitely. */
export type Retention = { rowDays: number }

export type Deps = {
  db: Kysely<Tables>
  now: () => Date
  /** Ids of rows and events: UUIDv7. */
  newId: () => string
  /** Signs the cursors of lists. */
  cursorKey: Buffer
  retention: Retention
  limiter: Limiter
  /** Feature flags and global configurations, from the newest snapshot. */
  settings: PlatformSettings
  /** Where anchors of the trail and archived requests are kept; undefined: neither are made. */
  store: ObjectStore | undefined
  /** Signs anchors and usage statements. */
  signer: Signer
  /** Whether the key belongs to the actor, according to api-key; undefined when api-key does not respond. */
  ownsKey: (actor: UserActor, keyId: string) => Promise<boolean | undefined>
}
