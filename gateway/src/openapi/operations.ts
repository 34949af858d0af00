import type { ErrorCode } from '@tapeline/contracts/error-code'
import { accountCalls } from './account-operations.ts'
import { adminCalls } from './admin-operations.ts'
import { type Call, INTERNAL, type Operation, type OperationGroup, WALKS } from './operation.ts'

const READS_RECORDS: ErrorCode[] = [
  'filter.invalid',
  'symbol.unknown',
  'cursor.invalid',
  'cursor.filter_mismatch',
  'cursor.expired',
  'data.unavailable',
  'data.damaged',
  'tier.history_not_included',
  'tier.environment_not_included',
]

const calls: Record<OperationGroup, Call[]> = {
  'market-data': [
    ['POST /api/v1/trades/list', 'list-trades', 'List trades', ...READS_RECORDS],
    ['POST /api/v1/l2events/list', 'list-l2-events', 'List L2 events', ...READS_RECORDS],
    ['GET /api/v1/instruments', 'list-instruments', 'List instruments'],
    ['GET /api/v1/sample', 'list-sample-symbols', 'List the symbols of the public sample'],
    ['GET /api/v1/sample/{symbol}', 'read-sample', 'Read the newest public trades', 'symbol.unknown'],
  ],
  limits: [
    ['GET /api/v1/limits', 'read-limits', 'Read what is left of every limit'],
    ['GET /api/v1/health', 'check-health', 'Ask whether the gateway serves'],
    ['GET /api/v1/status', 'read-status', 'Read the measured state of the platform'],
  ],
  keys: [
    [
      `POST ${INTERNAL}/api-keys`,
      'create-key',
      'Create an API key',
      'api_key.limit_reached',
      'api_key.expiry_in_past',
      'idempotency_key.in_flight',
      'idempotency_key.reused',
      'feature.disabled',
    ],
    [`GET ${INTERNAL}/api-keys`, 'list-keys', 'List your API keys', 'feature.disabled'],
    [`GET ${INTERNAL}/api-keys/{id}`, 'show-key', 'Show an API key', 'api_key.not_found'],
    [
      `PUT ${INTERNAL}/api-keys/{id}`,
      'update-key',
      'Change an API key',
      'api_key.not_found',
      'api_key.already_revoked',
      'api_key.expiry_in_past',
    ],
    [
      `PATCH ${INTERNAL}/api-keys/{id}/revoke`,
      'revoke-key',
      'Revoke an API key',
      'api_key.not_found',
      'api_key.already_revoked',
    ],
    [
      `POST ${INTERNAL}/api-keys/{id}/regenerate`,
      'regenerate-key',
      'Replace the secret of an API key',
      'api_key.not_found',
      'api_key.already_revoked',
    ],
    [
      `PATCH ${INTERNAL}/api-keys/{id}/end-grace`,
      'end-old-secret',
      'End the replaced secret of an API key',
      'api_key.not_found',
      'api_key.already_revoked',
      'api_key.no_old_secret',
    ],
    [`DELETE ${INTERNAL}/api-keys/{id}/delete`, 'delete-key', 'Delete an API key', 'api_key.not_found'],
    [`GET ${INTERNAL}/api-keys/usage`, 'read-key-usage', 'Read the usage of a key', 'api_key.not_found'],
    [
      `GET ${INTERNAL}/api-keys/{id}/analytics`,
      'read-key-analytics',
      'Read the analytics of a key',
      'api_key.not_found',
    ],
  ],
  usage: [
    [
      `GET ${INTERNAL}/apikeyaudit/dashboard-metrics`,
      'read-metrics',
      'Read the account’s metrics',
      'period.invalid',
      'api_key.not_found',
      'feature.disabled',
    ],
    [`GET ${INTERNAL}/apikeyaudit/api-key-usage`, 'read-usage-by-key', 'Read usage by key', 'period.invalid'],
    [`GET ${INTERNAL}/apikeyaudit/usage-breakdown`, 'read-usage-breakdown', 'Break usage down', 'period.invalid'],
    [`GET ${INTERNAL}/apikeyaudit/real-time-stats`, 'read-real-time-stats', 'Read the last minutes'],
    [
      `GET ${INTERNAL}/apikeyaudit/export`,
      'export-usage',
      'Export usage',
      'tier.feature_not_included',
      'export.too_many',
      'period.invalid',
    ],
  ],
  requests: [
    [`GET ${INTERNAL}/requests`, 'list-requests', 'List requests one by one', 'period.invalid', ...WALKS],
    [`GET ${INTERNAL}/requests/{id}`, 'explain-request', 'Explain a request', 'logged_request.not_found'],
    [
      `GET ${INTERNAL}/requests/export`,
      'export-requests',
      'Export requests',
      'tier.feature_not_included',
      'export.too_many',
    ],
    [`GET ${INTERNAL}/audit-trail`, 'list-audit-trail', 'List the audit trail', ...WALKS],
  ],
  ...accountCalls,
  ...adminCalls,
}

/** Every call that the gateway lets in, by `METHOD /path/{parameter}`, in the order of the reference. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  groupsOf(calls).flatMap(([group, list]) =>
    list.map(([call, id, summary, ...errors]): [string, Operation] => [call, { id, group, summary, errors }]),
  ),
)

function groupsOf(all: Record<OperationGroup, Call[]>): [OperationGroup, Call[]][] {
  return Object.entries(all) as [OperationGroup, Call[]][]
}
