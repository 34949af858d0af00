import { type TSchema, Type } from 'typebox'
import { Tier } from '../actor.ts'
import { defineEvent } from '../event.ts'
import { FlagState } from './flags.ts'
import { ConfigState } from './global-configs.ts'
import { RateLimits } from './tiers.ts'

const Subscription = Type.Object({ tier: Tier, rate_limits: Type.Union([RateLimits, Type.Null()]) })

export const subscriptionChanged = defineEvent(
  'config',
  'config.subscription-changed.v2',
  Type.Object({ account_id: Type.String(), before: Subscription, after: Subscription, version: Type.Integer() }),
)

export const tiersChanged = defineEvent('config', 'config.tiers-changed.v1', Type.Object({ version: Type.Integer() }))

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** `version` is the one that every process's copy of flags and configurations then has. */
const changed = { version: Type.Integer(), reason: Nullable(Type.String()) }

export const flagChanged = defineEvent(
  'config',
  'config.flag-changed.v1',
  Type.Object({
    flag_id: Type.String(),
    flag_version: Type.Integer(),
    before: Nullable(FlagState),
    after: FlagState,
    ...changed,
  }),
)

/** Null: nothing is stored, the default holds. */
export const globalConfigChanged = defineEvent(
  'config',
  'config.global-config-changed.v1',
  Type.Object({
    key: Type.String(),
    config_version: Type.Integer(),
    before: Nullable(ConfigState),
    after: Nullable(ConfigState),
    ...changed,
  }),
)

/** A change that was not made, because it is not valid; what held before goes on. */
export const changeRefused = defineEvent(
  'config',
  'config.change-refused.v1',
  Type.Object({
    key: Type.String(),
    code: Type.String(),
    errors: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
    reason: Nullable(Type.String()),
  }),
)

export const configEvents = [subscriptionChanged, tiersChanged, flagChanged, globalConfigChanged, changeRefused]
