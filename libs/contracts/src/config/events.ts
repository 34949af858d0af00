import { type TSchema, Type } from 'typebox'
import { Role, Tier } from '../actor.ts'
import { defineEvent } from '../event.ts'
import { FlagState } from './flags.ts'
import { ConfigState } from './global-configs.ts'
import { RateLimits } from './tiers.ts'

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const reason = { reason: Nullable(Type.String()) }
/** `version` is the version of the platform snapshot that contains the change. */
const changed = { version: Type.Integer(), ...reason }

const Subscription = Type.Object({
  tier: Tier,
  rate_limits: Nullable(RateLimits),
  time_zone: Type.String(),
  trial_ends_at: Nullable(Type.String()),
  tier_after_trial: Nullable(Tier),
})

export const subscriptionChanged = defineEvent(
  'config',
  'config.subscription-changed.v3',
  Type.Object({
    account_id: Type.String(),
    before: Subscription,
    after: Subscription,
    version: Type.Integer(),
    ...reason,
  }),
)

const Trial = { account_id: Type.String(), tier: Tier, ends_at: Type.String(), tier_after: Tier }

export const trialStarted = defineEvent('config', 'config.trial-started.v1', Type.Object(Trial))

export const trialEnding = defineEvent(
  'config',
  'config.trial-ending.v1',
  Type.Object({ ...Trial, days_left: Type.Integer() }),
)

/** `over`: the trial expired; `cancelled`: by the account; `replaced`: an admin assigned another tier. */
export const trialEnded = defineEvent(
  'config',
  'config.trial-ended.v1',
  Type.Object({ ...Trial, because: Type.Enum(['over', 'cancelled', 'replaced']) }),
)

const ByPath = Type.Record(Type.String(), Type.Unknown())

/** `before` and `after` contain the changes by JSON pointer; `platform_version` is the snapshot that contains them. */
export const tiersChanged = defineEvent(
  'config',
  'config.tiers-changed.v2',
  Type.Object({
    version: Type.Integer(),
    platform_version: Type.Optional(Type.Integer()),
    before: ByPath,
    after: ByPath,
    ...reason,
  }),
)

/** `before` and `after` contain the changed settings. */
export const settingsChanged = defineEvent(
  'config',
  'config.settings-changed.v1',
  Type.Object({ account_id: Type.String(), settings_version: Type.Integer(), before: ByPath, after: ByPath }),
)

/** Amount due for one month of a tier. Payment services integrate by consuming this event. */
export const invoiceIssued = defineEvent(
  'config',
  'config.invoice-issued.v1',
  Type.Object({
    invoice_id: Type.String(),
    account_id: Type.String(),
    tier: Tier,
    /** Whole days in UTC, end exclusive. */
    period: Type.Object({ from: Type.String(), to: Type.String() }),
    /** A decimal in the currency, like `29.00`. */
    amount: Type.String(),
    /** ISO 4217. */
    currency: Type.String(),
  }),
)

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

/** A scheduled start or end of a flag was reached. Its rule is unchanged. */
export const flagFlipped = defineEvent(
  'config',
  'config.flag-flipped.v1',
  Type.Object({
    flag_id: Type.String(),
    flag_key: Type.String(),
    role: Role,
    /** False: the schedule ended. */
    is_on: Type.Boolean(),
    /** The scheduled time. */
    at: Type.String(),
  }),
)

/** null: nothing was stored, so the default applies. */
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

/** A rejected change: it was invalid, so the previous value stays in effect. */
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

export const configEvents = [
  subscriptionChanged,
  trialStarted,
  trialEnding,
  trialEnded,
  tiersChanged,
  settingsChanged,
  invoiceIssued,
  flagChanged,
  flagFlipped,
  globalConfigChanged,
  changeRefused,
]
