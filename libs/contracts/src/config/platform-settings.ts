import { type Static, Type } from 'typebox'
import { FlagRule } from './flags.ts'
import { Revision } from './version.ts'

/** Beside what was stored under keys, a snapshot has the tier documents under theirs. */
export const TIERS_KEY = 'subscription_tier_config'

/**
 * Flags, tier documents and stored configurations as every process holds them: `GET /internal/platform-settings`; `?known=version&revision=`
 * answers 304 when unchanged. The version rises with each change of any of them.
 */
export const PlatformSnapshot = Type.Object({
  version: Type.Integer({ minimum: 0 }),
  revision: Revision,
  flags: Type.Array(FlagRule),
  configs: Type.Record(Type.String(), Type.Object({ value: Type.Unknown(), is_public: Type.Boolean() })),
})
export type PlatformSnapshot = Static<typeof PlatformSnapshot>
