import { type Static, Type } from 'typebox'
import { NextCursor, pageFields, rangeFields } from './page.ts'

/** Takes the place of an account id for changes that concern the whole platform, such as a change of the tiers. */
export const PLATFORM_TRAIL = 'platform'

export const ListTrailQuery = Type.Object(
  {
    ...rangeFields,
    ...pageFields,
    /** An event's type or a prefix of it: `api-key`, `api-key.created`, `api-key.created.v1`. */
    type: Type.Optional(Type.String({ maxLength: 80, pattern: '^[a-z0-9.-]+$' })),
    /** The acting user's or API key's id, or the service's name. */
    actor: Type.Optional(Type.String({ maxLength: 40, pattern: '^[\\w-]+$' })),
    /** The id of the affected key, session or account. */
    subject: Type.Optional(Type.String({ maxLength: 80, pattern: '^[\\w:.-]+$' })),
    /** Another account's trail, or `platform`: admins only. */
    account: Type.Optional(
      Type.String({ pattern: `^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|${PLATFORM_TRAIL})$` }),
    ),
  },
  { additionalProperties: false },
)
export type ListTrailQuery = Static<typeof ListTrailQuery>

export const TRAIL_EXPORT_FORMATS = ['jsonl', 'parquet'] as const

const { cursor: _cursor, limit: _limit, ...trailFilter } = ListTrailQuery.properties
/** The filter of the list, without pages. */
export const ExportTrailQuery = Type.Object(
  { ...trailFilter, format: Type.Optional(Type.Enum(TRAIL_EXPORT_FORMATS)) },
  { additionalProperties: false },
)
export type ExportTrailQuery = Static<typeof ExportTrailQuery>

/** A changed field, nested ones by their path; null: absent. */
export const TrailChange = Type.Object({ field: Type.String(), before: Type.Unknown(), after: Type.Unknown() })
export type TrailChange = Static<typeof TrailChange>

/** The object that an entry is about. */
export const TrailTarget = Type.Object({
  type: Type.Enum([
    'account',
    'api_key',
    'session',
    'feature_flag',
    'global_config',
    'tiers',
    'webhook',
    'report',
    'alert',
    'venue',
  ] as const),
  id: Type.String(),
  /** Name of a key, flag, configuration, report or alert; null when it has none or the name is not stored. */
  name: Type.Union([Type.String(), Type.Null()]),
})
export type TrailTarget = Static<typeof TrailTarget>

export const TrailEntry = Type.Object({
  id: Type.String(),
  time: Type.String(),
  type: Type.String(),
  subject: Type.String(),
  actor: Type.Object({
    /** `user`, `api_key`, `service` or `anonymous`. */
    kind: Type.String(),
    id: Type.Union([Type.String(), Type.Null()]),
    /** Name of the key that made the change. */
    name: Type.Optional(Type.String()),
  }),
  /** /24 or /48; null where the event named none. */
  network: Type.Union([Type.String(), Type.Null()]),
  target: TrailTarget,
  before: Type.Unknown(),
  after: Type.Unknown(),
  changes: Type.Array(TrailChange),
  reason: Type.Union([Type.String(), Type.Null()]),
  /** The remaining data of the event. */
  details: Type.Unknown(),
  /** Hex SHA-256 of this entry and the previous hash: any later change or removal of an entry is detectable. */
  hash: Type.String(),
})
export type TrailEntry = Static<typeof TrailEntry>

export const TrailPage = Type.Object({ entries: Type.Array(TrailEntry), next_cursor: NextCursor })
export type TrailPage = Static<typeof TrailPage>
