import { type Static, Type } from 'typebox'
import { NextCursor, pageFields, rangeFields } from './page.ts'

/** Instead of an account: what concerns no single one, like a change of the tiers. */
export const PLATFORM_TRAIL = 'platform'

export const ListTrailQuery = Type.Object(
  {
    ...rangeFields,
    ...pageFields,
    /** An event's type or its beginning: `api-key`, `api-key.created`, `api-key.created.v1`. */
    type: Type.Optional(Type.String({ maxLength: 80, pattern: '^[a-z0-9.-]+$' })),
    /** Who did it: a user's id or a service's name. */
    actor: Type.Optional(Type.String({ maxLength: 40, pattern: '^[\\w-]+$' })),
    /** What it was done to: the id of a key, a session, an account. */
    subject: Type.Optional(Type.String({ maxLength: 80, pattern: '^[\\w:.-]+$' })),
    /** Another account's trail, or `platform`: for admins. */
    account: Type.Optional(
      Type.String({ pattern: `^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|${PLATFORM_TRAIL})$` }),
    ),
  },
  { additionalProperties: false },
)
export type ListTrailQuery = Static<typeof ListTrailQuery>

/** A field of what was changed, nested ones by their path; null: not there before, or no more. */
export const TrailChange = Type.Object({ field: Type.String(), before: Type.Unknown(), after: Type.Unknown() })
export type TrailChange = Static<typeof TrailChange>

/** What an entry is about. */
export const TrailTarget = Type.Object({
  type: Type.Enum(['account', 'api_key', 'session', 'feature_flag', 'global_config', 'tiers'] as const),
  id: Type.String(),
  /** Of a key, a flag or a configuration; null where it has none or it is no longer known. */
  name: Type.Union([Type.String(), Type.Null()]),
})
export type TrailTarget = Static<typeof TrailTarget>

export const TrailEntry = Type.Object({
  id: Type.String(),
  time: Type.String(),
  type: Type.String(),
  subject: Type.String(),
  actor: Type.Object({ kind: Type.String(), id: Type.Union([Type.String(), Type.Null()]) }),
  /** /24 or /48; null where the event named none. */
  network: Type.Union([Type.String(), Type.Null()]),
  target: TrailTarget,
  before: Type.Unknown(),
  after: Type.Unknown(),
  changes: Type.Array(TrailChange),
  reason: Type.Union([Type.String(), Type.Null()]),
  /** Everything else that the event said. */
  details: Type.Unknown(),
  /** SHA-256 over this entry and the hash of the one before it, hex: an entry cannot be changed or taken out unseen. */
  hash: Type.String(),
})
export type TrailEntry = Static<typeof TrailEntry>

export const TrailPage = Type.Object({ entries: Type.Array(TrailEntry), next_cursor: NextCursor })
export type TrailPage = Static<typeof TrailPage>
