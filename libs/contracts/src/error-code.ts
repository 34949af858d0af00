import { apiKeyErrors } from './api-key/errors.ts'
import { auditErrors } from './audit/errors.ts'
import { configErrors } from './config/errors.ts'
import { gatewayErrors } from './gateway/errors.ts'
import { identityErrors } from './identity/errors.ts'
import { marketDataErrors } from './market-data/errors.ts'

const requestErrors = {
  'request.invalid': 400,
  'request.unauthenticated': 401,
  'request.forbidden': 403,
  'request.route_not_found': 404,
  'request.method_not_allowed': 405,
  'request.not_acceptable': 406,
  'request.timed_out': 408,
  'request.too_large': 413,
  'request.address_too_long': 414,
  'request.media_type_unsupported': 415,
  'request.transfer_encoding_unsupported': 501,
  'service.failed': 500,
  'service.unavailable': 503,
} as const

/** All error codes with their HTTP status. The meaning of a code never changes. */
export const errorStatuses = {
  ...requestErrors,
  ...gatewayErrors,
  ...identityErrors,
  ...apiKeyErrors,
  ...auditErrors,
  ...configErrors,
  ...marketDataErrors,
} as const

export type ErrorCode = keyof typeof errorStatuses
