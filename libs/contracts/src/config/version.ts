import { type Static, Type } from 'typebox'

/** Maximum of PostgreSQL's type integer. */
const VERSION_MAX = 2_147_483_647

/** The version that a client edited; the first is 1. */
export const Version = Type.Integer({ minimum: 1, maximum: VERSION_MAX })
/** Like `Version`; 0: nothing is stored yet. */
export const VersionOrNone = Type.Integer({ minimum: 0, maximum: VERSION_MAX })

/**
 * Changes with each write, because a database restore can reuse version numbers. Absent: data from before revisions
 * existed.
 */
export const Revision = Type.Optional(Type.String({ maxLength: 40 }))
/** The version that the client has cached; a newer one is sent, otherwise 304. */
export const CachedVersionQuery = Type.Object({
  known: Type.Optional(Type.Integer({ minimum: 0 })),
  revision: Revision,
})
export type CachedVersionQuery = Static<typeof CachedVersionQuery>
