import { Type } from 'typebox'

const PAGE_ROWS_MAX = 100

/** What every list of audit takes beside its filter; `api_settings.page_sizes` says how many rows there are without a limit. A cursor holds the filter it was given with. */
export const pageFields = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_ROWS_MAX })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
}

/** RFC 3339; `from` inclusive, `to` exclusive. */
export const rangeFields = {
  from: Type.Optional(Type.String({ format: 'date-time', maxLength: 40 })),
  to: Type.Optional(Type.String({ format: 'date-time', maxLength: 40 })),
}

/** null: this was the last page. A page may be shorter than its limit and still go on. */
export const NextCursor = Type.Union([Type.String(), Type.Null()])
