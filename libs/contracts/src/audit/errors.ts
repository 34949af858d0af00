export const auditErrors = {
  'period.invalid': 400,
  'tier.feature_not_included': 403,
  'logged_request.not_found': 404,
  'notification.not_found': 404,
  'export.too_many': 429,
  'stream.too_many': 429,
} as const
