import { type Static, type TSchema, Type } from 'typebox'
import { Reason } from './flags.ts'
import { Version, VersionOrNone } from './version.ts'

export const CONFIG_CATEGORIES = [
  'feature_flags',
  'api_settings',
  'system_config',
  'user_settings',
  'subscription_tier_config',
] as const
export type ConfigCategory = (typeof CONFIG_CATEGORIES)[number]

type ConfigDefinition<T extends TSchema = TSchema> = {
  category: ConfigCategory
  /** True: included in every user's details. */
  isPublic: boolean
  description: string
  schema: T
  /** Applies until a value is stored. */
  default: Static<T>
}

function defineConfig<T extends TSchema>(
  category: ConfigCategory,
  schema: T,
  options: Omit<ConfigDefinition<T>, 'category' | 'schema'>,
) {
  return { category, schema, ...options }
}

const closed = { additionalProperties: false }
const Days = Type.Integer({ minimum: 1, maximum: 3_650 })

/** Configurations used by the platform. Other keys can be stored for clients. */
export const PLATFORM_CONFIGS = {
  'api_settings.page_sizes': defineConfig(
    'api_settings',
    Type.Object(
      { default: Type.Integer({ minimum: 1, maximum: 100 }), max: Type.Integer({ minimum: 1, maximum: 100 }) },
      closed,
    ),
    {
      isPublic: true,
      description: 'Default and maximum page size for requests, notifications and the audit trail.',
      default: { default: 20, max: 100 },
    },
  ),
  'system_config.maintenance': defineConfig(
    'system_config',
    Type.Object(
      {
        enabled: Type.Boolean(),
        message: Type.String({ maxLength: 500 }),
        level: Type.Enum(['info', 'warning']),
        /** RFC 3339; null: until it is switched off. */
        until: Type.Union([Type.String({ format: 'date-time', maxLength: 40 }), Type.Null()]),
      },
      closed,
    ),
    {
      isPublic: true,
      description: 'A banner for all users, returned in user details and by GET /api/v1/status.',
      default: { enabled: false, message: '', level: 'info' as const, until: null },
    },
  ),
  'system_config.retention': defineConfig(
    'system_config',
    Type.Object({ usage_row_days: Type.Integer({ minimum: 2, maximum: 3_650 }), simulated_record_days: Days }, closed),
    {
      isPublic: false,
      description:
        'Days for which request rows and simulated market data are kept. Until a value is stored, ' +
        'USAGE_ROWS_RETENTION_DAYS and SIMULATOR_RETENTION_DAYS of the deployment apply.',
      default: { usage_row_days: 90, simulated_record_days: 7 },
    },
  ),
  'system_config.sessions': defineConfig(
    'system_config',
    Type.Object(
      {
        idle_hours: Type.Integer({ minimum: 1, maximum: 720 }),
        remembered_days: Type.Integer({ minimum: 1, maximum: 365 }),
      },
      closed,
    ),
    {
      isPublic: false,
      description:
        'Hours after which an unused session ends, unless "remember me" was chosen, and days after which every session ends.',
      default: { idle_hours: 12, remembered_days: 30 },
    },
  ),
  'system_config.sign_up': defineConfig('system_config', Type.Object({ open: Type.Boolean() }, closed), {
    isPublic: true,
    description: 'Whether new accounts can be created.',
    default: { open: true },
  }),
} as const

export type PlatformConfigKey = keyof typeof PLATFORM_CONFIGS
export type ConfigValue<K extends PlatformConfigKey> = Static<(typeof PLATFORM_CONFIGS)[K]['schema']>

/** Whether a key is a configuration that the platform itself reads. */
export function isPlatformConfig(key: string): key is PlatformConfigKey {
  return Object.hasOwn(PLATFORM_CONFIGS, key)
}

export const UPDATES_MAX = 50
export const VALUE_BYTES_MAX = 65_536
export const VALUE_DEPTH_MAX = 32
const ConfigKey = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.:-]{0,79}$' })
const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One configuration. `id` is null while only the default exists. */
export const GlobalConfig = Type.Object({
  id: Nullable(Type.String()),
  value: Type.Unknown(),
  version: Type.Integer(),
  category: Type.Enum(CONFIG_CATEGORIES),
  is_public: Type.Boolean(),
  description: Nullable(Type.String()),
  /** True: the platform uses it and validates it against a schema. */
  is_known: Type.Boolean(),
  updated_at: Nullable(Type.String()),
  updated_by: Nullable(Type.String()),
})
export type GlobalConfig = Static<typeof GlobalConfig>

/** `GET /api/v1/admin/global-configs`, by key. */
export const GlobalConfigs = Type.Record(Type.String(), GlobalConfig)
export type GlobalConfigs = Static<typeof GlobalConfigs>

/** `id` and `version` as read by the client: a stale value is a conflict, so concurrent changes are not overwritten. */
export const ConfigUpdate = Type.Object(
  {
    id: Type.Optional(Nullable(Type.String({ maxLength: 40 }))),
    key: ConfigKey,
    value: Type.Unknown(),
    version: Type.Optional(VersionOrNone),
    is_public: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, required: ['key', 'value'] },
)
export type ConfigUpdate = Static<typeof ConfigUpdate>

export const UpdateConfigs = Type.Object(
  { updates: Type.Array(ConfigUpdate, { minItems: 1, maxItems: UPDATES_MAX }), reason: Type.Optional(Reason) },
  { additionalProperties: false },
)
export type UpdateConfigs = Static<typeof UpdateConfigs>

/** One changed place in a JSON value; an absent side means that the value did not exist. */
export const ConfigDifference = Type.Object({
  path: Type.String(),
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
})
export type ConfigDifference = Static<typeof ConfigDifference>

export const UpdatedConfig = Type.Object({ key: Type.String(), ...GlobalConfig.properties })
export type UpdatedConfig = Static<typeof UpdatedConfig>

export const FailedConfig = Type.Object({
  key: Type.String(),
  /** Human-readable message. */
  error: Type.String(),
  code: Type.String(),
  /** `field` is a JSON pointer into the value. */
  errors: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
  /** The current configuration, when the update failed because of a concurrent change. */
  current: Type.Optional(GlobalConfig),
  /** Differences between the edited and the current version. */
  changed: Type.Optional(Type.Array(ConfigDifference)),
})
export type FailedConfig = Static<typeof FailedConfig>

/** `PUT /api/v1/admin/global-configs`. */
export const UpdatedConfigs = Type.Object({
  updated: Type.Array(UpdatedConfig),
  failed: Type.Array(FailedConfig),
})
export type UpdatedConfigs = Static<typeof UpdatedConfigs>

export const ConfigParams = Type.Object({ key: ConfigKey })

export const ConfigState = Type.Object({ value: Type.Unknown(), is_public: Type.Boolean() })
export type ConfigState = Static<typeof ConfigState>

export const ConfigChange = Type.Object({
  version: Type.Integer(),
  /** null: nothing was stored, so the default applied. */
  before: Nullable(ConfigState),
  after: Nullable(ConfigState),
  changes: Type.Array(ConfigDifference),
  changed_by: Nullable(Type.String()),
  changed_at: Type.String(),
  reason: Nullable(Type.String()),
})
export type ConfigChange = Static<typeof ConfigChange>

/** Newest first. */
export const ConfigHistory = Type.Object({ changes: Type.Array(ConfigChange) })
export type ConfigHistory = Static<typeof ConfigHistory>

/** Versions as listed in the history; 0: before the first change. */
export const DiffConfigQuery = Type.Object({ from: VersionOrNone, to: VersionOrNone }, { additionalProperties: false })
export type DiffConfigQuery = Static<typeof DiffConfigQuery>

export const ConfigDiff = Type.Object({ changes: Type.Array(ConfigDifference) })
export type ConfigDiff = Static<typeof ConfigDiff>

/** Reverts the newest change; 409 when `version` is sent and is not the newest. */
export const UndoConfig = Type.Object(
  { version: Type.Optional(Version), reason: Type.Optional(Reason) },
  { additionalProperties: false },
)
export type UndoConfig = Static<typeof UndoConfig>
