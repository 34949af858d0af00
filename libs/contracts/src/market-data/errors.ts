export const marketDataErrors = {
  'filter.invalid': 400,
  'symbol.unknown': 404,
  'cursor.invalid': 400,
  'cursor.filter_mismatch': 400,
  'cursor.expired': 410,
  'file.not_found': 404,
  'file.range_invalid': 416,
  'data.unavailable': 503,
  'data.damaged': 500,
  'tier.history_not_included': 403,
  'tier.environment_not_included': 403,
} as const
