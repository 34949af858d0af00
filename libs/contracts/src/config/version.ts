import { Type } from 'typebox'

/** What a column of PostgreSQL's type integer holds at most. */
const VERSION_MAX = 2_147_483_647

/** Which state somebody edited, counted from 1. */
export const Version = Type.Integer({ minimum: 1, maximum: VERSION_MAX })
/** The same where 0 says that nothing is stored yet. */
export const VersionOrNone = Type.Integer({ minimum: 0, maximum: VERSION_MAX })
