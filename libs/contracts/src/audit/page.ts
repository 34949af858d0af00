import { Type } from 'typebox'

const PAGE_ROWS_MAX = 100

/**
 * Parameters common to all lists of audit. The default limit is `api_settings.page_sizes`. A cursor contains its
 * filter.
 */
export const pageFields = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_ROWS_MAX })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
}

/** RFC 3339; `from` inclusive, `to` exclusive. */
export const rangeFields = {
  from: Type.Optional(Type.String({ format: 'date-time', maxLength: 40 })),
  to: Type.Optional(Type.String({ format: 'date-time', maxLength: 40 })),
}

/** null: this was the last page. A page can have fewer rows than the limit even when more pages follow. */
export const NextCursor = Type.Union([Type.String(), Type.Null()])
