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

export const TrailEntry = Type.Object({
  id: Type.String(),
  time: Type.String(),
  type: Type.String(),
  subject: Type.String(),
  actor: Type.Object({ kind: Type.String(), id: Type.Union([Type.String(), Type.Null()]) }),
  /** /24 or /48; null where the event named none. */
  network: Type.Union([Type.String(), Type.Null()]),
  before: Type.Unknown(),
  after: Type.Unknown(),
  reason: Type.Union([Type.String(), Type.Null()]),
  /** Everything else that the event said. */
  details: Type.Unknown(),
  /** SHA-256 over this entry and the hash of the one before it, hex: an entry cannot be changed or taken out unseen. */
  hash: Type.String(),
})
export type TrailEntry = Static<typeof TrailEntry>

export const TrailPage = Type.Object({ entries: Type.Array(TrailEntry), next_cursor: NextCursor })
export type TrailPage = Static<typeof TrailPage>
