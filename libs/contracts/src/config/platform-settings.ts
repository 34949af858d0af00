import { type Static, Type } from 'typebox'
import { FlagRule } from './flags.ts'
import { Revision } from './version.ts'

/** Key under which a snapshot contains the tier documents, next to the stored configurations. */
export const TIERS_KEY = 'subscription_tier_config'

/**
 * Flags, tier documents and stored configurations, cached by every process: `GET /internal/platform-settings`. 304
 * when `known` and `revision` are current. Each change of any of them increments the version.
 */
export const PlatformSnapshot = Type.Object({
  version: Type.Integer({ minimum: 0 }),
  revision: Revision,
  flags: Type.Array(FlagRule),
  configs: Type.Record(Type.String(), Type.Object({ value: Type.Unknown(), is_public: Type.Boolean() })),
})
export type PlatformSnapshot = Static<typeof PlatformSnapshot>
