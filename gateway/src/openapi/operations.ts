import type { ErrorCode } from '@tapeline/contracts/error-code'
import { accountCalls } from './account-operations.ts'
import { adminCalls } from './admin-operations.ts'
import { type Call, type Operation, type OperationGroup, WALKS } from './operation.ts'

const READS_RECORDS: ErrorCode[] = [
  'request.not_acceptable',
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

const OPENS_STREAM = READS_RECORDS.filter((code) => code !== 'request.not_acceptable')
const READS_LATEST = READS_RECORDS.filter((code) => !code.startsWith('cursor.'))

const calls: Record<OperationGroup, Call[]> = {
  'market-data': [
    ['list-trades', 'List trades', ...READS_RECORDS],
    ['list-bars', 'List bars', ...READS_RECORDS],
    ['list-l2-events', 'List L2 events', ...READS_RECORDS],
    ['read-latest-trade', 'Read the latest trade', ...READS_LATEST],
    ['read-latest-l2-event', 'Read the latest L2 event', ...READS_LATEST],
    ['list-quotes', 'List quotes', ...READS_RECORDS],
    ['read-latest-quotes', 'Read the latest quotes', ...READS_RECORDS],
    [
      'read-book',
      'Read an order book at a given time',
      'filter.invalid',
      'symbol.unknown',
      'data.unavailable',
      'data.damaged',
      'tier.history_not_included',
      'tier.environment_not_included',
    ],
    [
      'list-files',
      'List sealed days as files',
      'filter.invalid',
      'cursor.invalid',
      'tier.feature_not_included',
      'tier.environment_not_included',
    ],
    [
      'download-file',
      'Download a file or a range of it',
      'file.not_found',
      'file.range_invalid',
      'data.unavailable',
      'data.damaged',
      'tier.feature_not_included',
    ],
    [
      'open-stream',
      'Open a live stream',
      ...OPENS_STREAM,
      'limit.stream_connections_exceeded',
      'service.unavailable',
      'upstream.unavailable',
      'upstream.timed_out',
    ],
    ['create-stream-ticket', 'Create a stream ticket', 'service.unavailable'],
    ['list-instruments', 'List instruments'],
    ['list-sample-symbols', 'List the symbols of the public sample'],
    ['read-sample', 'Read the newest public trades', 'symbol.unknown'],
    ['stream-sample', 'Follow the newest public trades', 'symbol.unknown', 'service.unavailable'],
  ],
  limits: [
    ['read-limits', 'Read limits and remaining requests'],
    ['check-health', 'Check the gateway’s health'],
    ['read-status', 'Read the measured status of the platform'],
  ],
  keys: [
    [
      'create-key',
      'Create an API key',
      'api_key.limit_reached',
      'api_key.expiry_in_past',
      'idempotency_key.in_flight',
      'idempotency_key.reused',
      'feature.disabled',
    ],
    ['list-keys', 'List your API keys', 'feature.disabled'],
    ['show-key', 'Show an API key', 'api_key.not_found'],
    ['update-key', 'Change an API key', 'api_key.not_found', 'api_key.already_revoked', 'api_key.expiry_in_past'],
    ['revoke-key', 'Revoke an API key', 'api_key.not_found', 'api_key.already_revoked'],
    ['regenerate-key', 'Replace the secret of an API key', 'api_key.not_found', 'api_key.already_revoked'],
    ['propose-key-limits', 'Set the shadow limits of an API key', 'api_key.not_found', 'api_key.already_revoked'],
    [
      'withdraw-key-limits',
      'Remove the shadow limits of an API key',
      'api_key.not_found',
      'api_key.already_revoked',
      'api_key.no_shadow_limits',
    ],
    [
      'apply-key-limits',
      'Make the shadow limits of an API key its limits',
      'api_key.not_found',
      'api_key.already_revoked',
      'api_key.no_shadow_limits',
      'api_key.shadow_changed',
    ],
    [
      'end-old-secret',
      'End the replaced secret of an API key',
      'api_key.not_found',
      'api_key.already_revoked',
      'api_key.no_old_secret',
    ],
    ['delete-key', 'Delete an API key', 'api_key.not_found'],
    [
      'put-key',
      'Create or change the API key with an external id',
      'api_key.already_revoked',
      'api_key.expiry_in_past',
      'api_key.limit_reached',
      'request.route_not_found',
    ],
    ['change-keys', 'Change all API keys with a tag', 'api_key.selection_changed', 'api_key.expiry_in_past'],
    ['import-keys', 'Import API keys of another gateway'],
    ['report-leaked-keys', 'Report leaked API keys'],
    ['show-leak-policy', 'Read the policy for leaked API keys', 'feature.disabled'],
    ['set-leak-policy', 'Set the policy for leaked API keys', 'feature.disabled'],
    ['read-key-usage', 'Read the usage of a key', 'api_key.not_found'],
    ['read-key-analytics', 'Read the analytics of a key', 'api_key.not_found'],
  ],
  usage: [
    ['read-metrics', 'Read the account’s metrics', 'period.invalid', 'api_key.not_found', 'feature.disabled'],
    ['read-usage-by-key', 'Read usage by key', 'period.invalid', 'api_key.not_found'],
    ['read-usage-breakdown', 'Break usage down', 'period.invalid', 'api_key.not_found'],
    ['read-real-time-stats', 'Read usage of the last minutes'],
    ['show-key-shadow', 'Show what the shadow limits of an API key decided', 'period.invalid'],
    ['forecast-usage', 'Forecast the month'],
    [
      'export-usage',
      'Export usage',
      'tier.feature_not_included',
      'export.too_many',
      'period.invalid',
      'api_key.not_found',
    ],
    ['list-alerts', 'List your usage alerts'],
    ['create-alert', 'Create a usage alert', 'alert.limit_reached', 'api_key.not_found'],
    ['update-alert', 'Change a usage alert', 'alert.not_found', 'api_key.not_found'],
    ['delete-alert', 'Delete a usage alert', 'alert.not_found'],
    ['list-reports', 'List custom reports'],
    [
      'create-report',
      'Create a custom report',
      'tier.feature_not_included',
      'report.limit_reached',
      'api_key.not_found',
    ],
    ['update-report', 'Change a custom report', 'tier.feature_not_included', 'report.not_found', 'api_key.not_found'],
    ['delete-report', 'Delete a custom report', 'report.not_found'],
    [
      'send-report',
      'Mail a custom report now',
      'tier.feature_not_included',
      'report.not_found',
      'report.made_recently',
    ],
    ['preview-report', 'Download a custom report', 'tier.feature_not_included', 'report.not_found'],
    ['list-statements', 'List usage statements'],
    ['read-statement', 'Read a signed usage statement', 'statement.not_found'],
    [
      'prove-request',
      'Prove that a request is in a statement',
      'statement.not_found',
      'statement.request_not_found',
      'statement.rows_missing',
    ],
    ['export-invoice', 'Export invoice lines', 'statement.not_found'],
    ['list-evidence-keys', 'List the public keys of statements'],
  ],
  requests: [
    ['list-requests', 'List requests', 'period.invalid', ...WALKS],
    ['explain-request', 'Explain a request', 'logged_request.not_found'],
    ['export-requests', 'Export requests', 'tier.feature_not_included', 'export.too_many'],
    ['list-audit-trail', 'List the audit trail', 'account.not_found', ...WALKS],
    ['export-audit-trail', 'Export the audit trail', 'export.too_many', 'account.not_found', 'period.invalid'],
  ],
  ...accountCalls,
  ...adminCalls,
}

/** Every described call by its operation id, in the order of the reference. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  groupsOf(calls).flatMap(([group, list]) =>
    list.map(([id, summary, ...errors]): [string, Operation] => [id, { id, group, summary, errors }]),
  ),
)

function groupsOf(all: Record<OperationGroup, Call[]>): [OperationGroup, Call[]][] {
  return Object.entries(all) as [OperationGroup, Call[]][]
}
