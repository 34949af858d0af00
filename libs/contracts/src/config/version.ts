import { type Static, Type } from 'typebox'

/** What a column of PostgreSQL's type integer holds at most. */
const VERSION_MAX = 2_147_483_647

/** Which state somebody edited, counted from 1. */
export const Version = Type.Integer({ minimum: 1, maximum: VERSION_MAX })
/** The same where 0 says that nothing is stored yet. */
export const VersionOrNone = Type.Integer({ minimum: 0, maximum: VERSION_MAX })

/** Made anew with each change: after a restore the same number may say something else. Absent: of before there was one. */
export const Revision = Type.Optional(Type.String({ maxLength: 40 }))
/** What somebody has already, so that they are sent it only when it is another. */
export const KnownQuery = Type.Object({
  known: Type.Optional(Type.Integer({ minimum: 0 })),
  revision: Revision,
})
export type KnownQuery = Static<typeof KnownQuery>
