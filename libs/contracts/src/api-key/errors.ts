export const apiKeyErrors = {
  'api_key.not_found': 404,
  'api_key.already_revoked': 409,
  'api_key.expiry_in_past': 400,
  'api_key.limit_reached': 403,
  'api_key.inactive': 401,
  'api_key.expired': 401,
  'api_key.revoked': 401,
  'api_key.scope_missing': 403,
  'api_key.address_not_allowed': 403,
  'idempotency_key.in_flight': 409,
  'idempotency_key.reused': 422,
  'feature.disabled': 403,
} as const
