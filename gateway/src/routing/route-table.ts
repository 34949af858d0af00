import type { ServiceName } from '@tapeline/contracts/actor'
import type { ApiKeyScope } from '@tapeline/contracts/api-key/http'
import { CALL_REPORTS_PATH } from '@tapeline/contracts/gateway/http'
import { route, type Route, type RouteRest, type ServiceScopes } from './route.ts'

const READ_TIMEOUT_MS = 2_000
const keyScopes: ServiceScopes = { read: 'keys:read', change: 'keys:write' }
const usageScopes: ServiceScopes = { read: 'usage:read', change: null }
const requestScopes: ServiceScopes = { read: 'requests:read', change: null }
const webhookScopes: ServiceScopes = { read: 'webhooks:write', change: 'webhooks:write' }
const trailScopes: ServiceScopes = { read: 'audit:read', change: null }

/** Market data: counted by key and by session. */
const data = (pattern: string, scope: ApiKeyScope | null, calls: string[]): Route =>
  route(pattern, 'market-data', 'key or session', {
    calls,
    isCounted: true,
    isRead: true,
    scope,
    timeoutMs: READ_TIMEOUT_MS,
  })
const sample = (pattern: string, calls: string[]): Route =>
  route(pattern, 'market-data', 'anyone', { calls, throttle: 'sample', timeoutMs: READ_TIMEOUT_MS })
/** Calls around signing in: throttled by address, and by the account that their body names. */
const signIn = (pattern: string, call: string): Route =>
  route(pattern, 'identity', 'anyone', { calls: [call], throttle: 'sign-in' })
const dashboard = (pattern: string, service: ServiceName, calls: string[], rest: RouteRest = {}): Route =>
  route(pattern, service, 'session', { calls, ...rest })

/** Answered by the gateway itself, outside of the API. */
export const ownPaths = {
  alive: '/livez',
  started: '/startupz',
  ready: '/readyz',
  openApi: '/openapi.json',
  securityText: '/.well-known/security.txt',
  errorPage: '/docs/errors/:code',
}
export const probePaths: ReadonlySet<string> = new Set([ownPaths.alive, ownPaths.started, ownPaths.ready])

/**
 * Every public path of the API, most specific first: the first pattern that matches decides. Methods, priorities, throttles, the access
 * list and the paths of the OpenAPI document are derived from it.
 */
export const routeTable: readonly Route[] = [
  data('/api/v1/trades/list', 'trades:read', ['POST list-trades']),
  data('/api/v1/trades/latest', 'trades:read', ['POST read-latest-trade']),
  data('/api/v1/trades/bars', 'trades:read', ['POST list-bars']),
  data('/api/v1/trades/*', 'trades:read', []),
  data('/api/v1/l2events/list', 'l2events:read', ['POST list-l2-events']),
  data('/api/v1/l2events/latest', 'l2events:read', ['POST read-latest-l2-event']),
  data('/api/v1/l2events/book', 'l2events:read', ['POST read-book']),
  data('/api/v1/l2events/*', 'l2events:read', []),
  data('/api/v1/quotes/list', 'l2events:read', ['POST list-quotes']),
  data('/api/v1/quotes/latest', 'l2events:read', ['POST read-latest-quotes']),
  data('/api/v1/quotes/*', 'l2events:read', []),
  data('/api/v1/files', 'files:read', ['GET list-files']),
  // A download ends with its last byte, however slow the client is.
  { ...data('/api/v1/files/*', 'files:read', ['GET {id} download-file']), timeoutMs: null },
  { ...data('/api/v1/stream', 'stream:read', ['GET open-stream']), timeoutMs: null, isStream: true },
  route('/api/v1/stream/tickets', 'gateway', 'key or session', {
    calls: ['POST create-stream-ticket'],
    isCounted: true,
    scope: 'stream:read',
    own: 'stream ticket',
  }),
  data('/api/v1/instruments', null, ['GET list-instruments']),
  data('/api/v1/instruments/*', null, []),
  sample('/api/v1/sample', ['GET list-sample-symbols']),
  { ...sample('/api/v1/sample/stream/*', ['GET {symbol} stream-sample']), timeoutMs: null, isEventStream: true },
  sample('/api/v1/sample/*', ['GET {symbol} read-sample']),
  route('/api/v1/health', 'gateway', 'anyone or session', {
    calls: ['GET check-health'],
    isCounted: true,
    priority: 'vital',
    own: 'health',
  }),
  route('/api/v1/limits', 'gateway', 'key or session', { calls: ['GET read-limits'], own: 'limits' }),
  // MCP over HTTP: its tools call the paths above and below, with the same credential.
  route('/mcp', 'gateway', 'key or session', { calls: ['POST -'], own: 'mcp' }),
  route(CALL_REPORTS_PATH, 'gateway', 'anyone', { calls: ['POST -'], own: 'call reports' }),
  route('/api/v1/internal/user/create', 'identity', 'anyone', { calls: ['PUT sign-up'], throttle: 'sign-up' }),
  route('/api/v1/user/create', 'identity', 'anyone', { calls: ['PUT sign-up-alias'], throttle: 'sign-up' }),
  route('/api/v1/internal/user/login', 'identity', 'anyone', {
    calls: ['POST log-in'],
    throttle: 'sign-in',
    priority: 'vital',
    isThrottledByAccount: false,
  }),
  route('/api/v1/internal/user/refresh', 'identity', 'anyone', {
    calls: ['POST refresh-session'],
    throttle: 'refresh',
    priority: 'vital',
  }),
  signIn('/api/v1/internal/user/forgot-password', 'POST forgot-password'),
  signIn('/api/v1/internal/user/verify-reset-token', 'GET verify-reset-token'),
  signIn('/api/v1/internal/user/reset-password', 'POST reset-password'),
  signIn('/api/v1/internal/user/device-link', 'POST device-link'),
  signIn('/api/v1/internal/user/trust-device', 'POST trust-device'),
  route('/api/v1/internal/user/device-logins', 'identity', 'anyone', {
    calls: ['POST start-device-login'],
    throttle: 'sign-in',
    isThrottledByAccount: false,
  }),
  // Asked every few seconds until a person decides.
  route('/api/v1/internal/user/device-logins/finish', 'identity', 'anyone', {
    calls: ['POST finish-device-login'],
    throttle: 'refresh',
  }),
  signIn('/api/v1/internal/user/verify-email', 'POST verify-email'),
  signIn('/api/v1/internal/user/confirm-email-change', 'POST confirm-email-change'),
  signIn('/api/v1/internal/user/export/open', 'POST open-account-export'),
  dashboard('/api/v1/internal/user/settings', 'config', ['GET read-settings', 'PUT save-settings']),
  route('/api/v1/internal/user/feature-flags', 'config', 'anyone or session', { calls: ['GET list-own-flags'] }),
  route('/api/v1/internal/user/feature-flags/*', 'config', 'anyone or session', {
    calls: ['GET {flag_key} read-own-flag'],
  }),
  dashboard(
    '/api/v1/internal/user/*',
    'identity',
    [
      'PATCH logout log-out',
      'GET sessions list-sessions',
      'DELETE sessions/{id} end-session',
      'DELETE sessions end-other-sessions',
      'GET details read-details',
      'PATCH update update-profile',
      'POST change-password change-password',
      'POST resend-verification resend-verification',
      'POST change-email change-email',
      'GET device-logins/{user_code} show-device-login',
      'PUT device-logins/{user_code} decide-device-login',
      'POST export request-account-export',
      'GET export show-account-export',
      'GET export/file download-account-export',
      'DELETE account delete-account',
      'GET push-key read-push-key',
      'POST push-subscriptions subscribe-to-push',
      'DELETE push-subscriptions unsubscribe-from-push',
    ],
    { priority: 'vital changes' },
  ),
  route('/api/v1/internal/oauth/google', 'identity', 'anyone or session', {
    calls: ['GET begin-google'],
    throttle: 'sign-in',
  }),
  signIn('/api/v1/internal/oauth/google/callback', 'POST finish-google'),
  signIn('/api/v1/internal/oauth/google/confirm', 'POST confirm-google'),
  dashboard('/api/v1/internal/oauth/google/disconnect', 'identity', ['POST disconnect-google']),
  route('/api/v1/internal/subscription/pricing', 'config', 'anyone', { calls: ['GET read-pricing'] }),
  dashboard('/api/v1/internal/subscription', 'config', ['GET read-subscription']),
  dashboard('/api/v1/internal/subscription/*', 'config', ['POST trial start-trial', 'POST cancel cancel-plan']),
  dashboard('/api/v1/internal/api-keys', 'api-key', ['GET list-keys', 'POST create-key'], { serviceScopes: keyScopes }),
  dashboard('/api/v1/internal/api-keys/usage', 'api-key', ['GET read-key-usage'], { serviceScopes: usageScopes }),
  dashboard(
    '/api/v1/internal/api-keys/*',
    'api-key',
    [
      'GET {id} show-key',
      'PUT {id} update-key',
      'PATCH {id}/revoke revoke-key',
      'POST {id}/regenerate regenerate-key',
      'PATCH {id}/end-grace end-old-secret',
      'DELETE {id}/delete delete-key',
      'PUT by-external-id/{external_id} put-key',
      'POST bulk change-keys',
      'POST import import-keys',
      'GET leak-policy show-leak-policy',
      'PUT leak-policy set-leak-policy',
      'GET {id}/analytics read-key-analytics',
    ],
    { priority: 'vital changes', serviceScopes: keyScopes },
  ),
  dashboard('/api/v1/internal/apikeyaudit/export', 'audit', ['GET export-usage'], {
    timeoutMs: null,
    serviceScopes: usageScopes,
  }),
  dashboard(
    '/api/v1/internal/apikeyaudit/*',
    'audit',
    [
      'GET dashboard-metrics read-metrics',
      'GET api-key-usage read-usage-by-key',
      'GET usage-breakdown read-usage-breakdown',
      'GET real-time-stats read-real-time-stats',
    ],
    { serviceScopes: usageScopes },
  ),
  dashboard('/api/v1/internal/usage-forecast', 'audit', ['GET forecast-usage'], { serviceScopes: usageScopes }),
  dashboard('/api/v1/internal/requests', 'audit', ['GET list-requests'], { serviceScopes: requestScopes }),
  dashboard('/api/v1/internal/requests/export', 'audit', ['GET export-requests'], {
    timeoutMs: null,
    serviceScopes: requestScopes,
  }),
  dashboard('/api/v1/internal/requests/*', 'audit', ['GET {id} explain-request'], { serviceScopes: requestScopes }),
  dashboard('/api/v1/internal/audit-trail', 'audit', ['GET list-audit-trail'], { serviceScopes: trailScopes }),
  dashboard('/api/v1/internal/audit-trail/export', 'audit', ['GET export-audit-trail'], {
    serviceScopes: trailScopes,
    timeoutMs: null,
  }),
  dashboard('/api/v1/internal/statements', 'audit', ['GET list-statements'], { serviceScopes: usageScopes }),
  dashboard(
    '/api/v1/internal/statements/*',
    'audit',
    ['GET {month} read-statement', 'GET {month}/proof prove-request', 'GET {month}/invoice export-invoice'],
    { serviceScopes: usageScopes },
  ),
  dashboard('/api/v1/internal/notifications', 'audit', ['GET list-notifications']),
  dashboard('/api/v1/internal/notifications/*', 'audit', [
    'PATCH {id}/read mark-notification-read',
    'PATCH read mark-notifications-read',
  ]),
  dashboard('/api/v1/internal/webhooks', 'audit', ['GET list-webhooks', 'POST create-webhook'], {
    serviceScopes: webhookScopes,
  }),
  dashboard(
    '/api/v1/internal/webhooks/*',
    'audit',
    [
      'PUT {id} update-webhook',
      'DELETE {id} delete-webhook',
      'POST {id}/rotate-secret rotate-webhook-secret',
      'POST {id}/test test-webhook',
      'GET {id}/deliveries list-webhook-deliveries',
      'GET {id}/deliveries/{delivery_id} show-webhook-delivery',
      'POST {id}/deliveries/{delivery_id}/redeliver redeliver-webhook',
      'POST {id}/redeliver redeliver-webhooks',
    ],
    { serviceScopes: webhookScopes },
  ),
  dashboard('/api/v1/internal/reports', 'audit', ['GET list-reports', 'POST create-report']),
  dashboard('/api/v1/internal/reports/*', 'audit', [
    'PUT {id} update-report',
    'DELETE {id} delete-report',
    'POST {id}/send send-report',
    'GET {id}/preview preview-report',
  ]),
  dashboard('/api/v1/internal/alerts', 'audit', ['GET list-alerts', 'POST create-alert']),
  dashboard('/api/v1/internal/alerts/*', 'audit', ['PUT {id} update-alert', 'DELETE {id} delete-alert']),
  dashboard('/api/v1/internal/events', 'audit', ['GET stream-events'], { timeoutMs: null, isEventStream: true }),
  route('/api/v1/status', 'audit', 'anyone', { calls: ['GET read-status'] }),
  route('/api/v1/leaked-keys', 'api-key', 'anyone', { calls: ['POST report-leaked-keys'], throttle: 'sign-up' }),
  route('/api/v1/contact', 'identity', 'anyone', { calls: ['POST contact'], throttle: 'sign-up' }),
  dashboard('/api/v1/admin/users', 'identity', ['GET list-users', 'PATCH change-user']),
  dashboard('/api/v1/admin/users/*', 'identity', [], { priority: 'vital changes' }),
  dashboard('/api/v1/admin/venues', 'market-data', ['GET list-venues']),
  dashboard('/api/v1/admin/venues/*', 'market-data', ['PUT {venue} save-venue']),
  route('/api/v1/evidence-keys', 'audit', 'anyone', { calls: ['GET list-evidence-keys'] }),
  dashboard('/api/v1/admin/audit-trail/check', 'audit', ['GET show-trail-check', 'POST start-trail-check']),
  dashboard('/api/v1/admin/*', 'config', [
    'GET feature-flags list-flags',
    'POST feature-flags create-flag',
    'PATCH feature-flags update-flag',
    'GET feature-flags/affected count-affected',
    'GET feature-flags/{id}/history show-flag-history',
    'POST feature-flags/{id}/undo undo-flag',
    'GET global-configs list-global-configs',
    'PUT global-configs update-global-configs',
    'GET global-configs/{key}/history show-config-history',
    'GET global-configs/{key}/diff diff-config',
    'POST global-configs/{key}/undo undo-config',
    'GET tiers show-tiers',
    'PUT tiers save-tiers',
    'PUT tiers/{tier} save-tier',
    'GET tiers/history list-tier-history',
    'POST tiers/undo undo-tiers',
    'GET subscriptions/{account} show-subscription',
    'PUT subscriptions/{account} set-subscription',
  ]),
]
