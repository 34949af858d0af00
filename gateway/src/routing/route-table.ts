import type { ServiceName } from '@tapeline/contracts/actor'
import type { ApiKeyScope } from '@tapeline/contracts/api-key/http'
import { CALL_REPORTS_PATH } from '@tapeline/contracts/gateway/http'

/**
 * `anyone`: no credential needed, throttled by address. `anyone or session`: the same, but a credential that is sent must be good.
 * `session`: an access token; an API key is refused. `key or session`: either.
 */
export type Who = 'anyone' | 'anyone or session' | 'session' | 'key or session'
/** Which bucket guards a route while nobody is known. */
export type Throttle = 'public' | 'sample' | 'sign-in' | 'sign-up' | 'refresh'

export type Route = {
  /** Also the name of the route in usage events: never the raw address. `*` at the end stands for any rest. */
  pattern: string
  service: ServiceName
  who: Who
  /** True when also requests by access token leave a usage event; those by API key always do. */
  isCounted: boolean
  /** A POST that only asks: sent once more when the service could not take it, as a GET is. */
  isRead: boolean
  /** What an API key must have been given to come in here; a signed-in user needs nothing. */
  scope: ApiKeyScope | null
  throttle: Throttle
  /** From sending the request on to the end of the answer, a second try included; null: only silence ends it. */
  timeoutMs: number | null
  /** Answers with server-sent events: its last words can be said in one. */
  isEventStream: boolean
}

const READ_TIMEOUT_MS = 2_000
const DASHBOARD_TIMEOUT_MS = 15_000

type Rest = Partial<Pick<Route, 'isCounted' | 'isRead' | 'scope' | 'throttle' | 'timeoutMs' | 'isEventStream'>>
const door = (pattern: string, service: ServiceName, who: Who, rest: Rest = {}): Route => ({
  pattern,
  service,
  who,
  isCounted: false,
  isRead: false,
  scope: null,
  throttle: 'public',
  timeoutMs: DASHBOARD_TIMEOUT_MS,
  isEventStream: false,
  ...rest,
})
const data = (pattern: string, scope: ApiKeyScope | null): Route =>
  door(pattern, 'market-data', 'key or session', { isCounted: true, isRead: true, scope, timeoutMs: READ_TIMEOUT_MS })

/** Every public path, most specific first: the first pattern that fits decides. */
export const routeTable: readonly Route[] = [
  data('/api/v1/trades/list', 'trades:read'),
  data('/api/v1/trades/*', 'trades:read'),
  data('/api/v1/l2events/list', 'l2events:read'),
  data('/api/v1/l2events/*', 'l2events:read'),
  data('/api/v1/instruments', null),
  data('/api/v1/instruments/*', null),
  door('/api/v1/sample', 'market-data', 'anyone', { throttle: 'sample', timeoutMs: READ_TIMEOUT_MS }),
  door('/api/v1/sample/*', 'market-data', 'anyone', { throttle: 'sample', timeoutMs: READ_TIMEOUT_MS }),
  door('/api/v1/health', 'gateway', 'anyone or session', { isCounted: true }),
  door('/api/v1/limits', 'gateway', 'key or session'),
  door(CALL_REPORTS_PATH, 'gateway', 'anyone'),
  door('/api/v1/internal/user/create', 'identity', 'anyone', { throttle: 'sign-up' }),
  door('/api/v1/user/create', 'identity', 'anyone', { throttle: 'sign-up' }),
  door('/api/v1/internal/user/login', 'identity', 'anyone', { throttle: 'sign-in' }),
  door('/api/v1/internal/user/refresh', 'identity', 'anyone', { throttle: 'refresh' }),
  door('/api/v1/internal/user/forgot-password', 'identity', 'anyone', { throttle: 'sign-in' }),
  door('/api/v1/internal/user/verify-reset-token', 'identity', 'anyone', { throttle: 'sign-in' }),
  door('/api/v1/internal/user/reset-password', 'identity', 'anyone', { throttle: 'sign-in' }),
  door('/api/v1/internal/user/device-link', 'identity', 'anyone', { throttle: 'sign-in' }),
  door('/api/v1/internal/user/trust-device', 'identity', 'anyone', { throttle: 'sign-in' }),
  door('/api/v1/internal/user/verify-email', 'identity', 'anyone', { throttle: 'sign-in' }),
  door('/api/v1/internal/user/confirm-email-change', 'identity', 'anyone', { throttle: 'sign-in' }),
  door('/api/v1/internal/user/export/open', 'identity', 'anyone', { throttle: 'sign-in' }),
  door('/api/v1/internal/user/settings', 'config', 'session'),
  door('/api/v1/internal/user/feature-flags', 'config', 'anyone or session'),
  door('/api/v1/internal/user/feature-flags/*', 'config', 'anyone or session'),
  door('/api/v1/internal/user/*', 'identity', 'session'),
  door('/api/v1/internal/oauth/google', 'identity', 'anyone or session', { throttle: 'sign-in' }),
  door('/api/v1/internal/oauth/google/callback', 'identity', 'anyone', { throttle: 'sign-in' }),
  door('/api/v1/internal/oauth/google/confirm', 'identity', 'anyone', { throttle: 'sign-in' }),
  door('/api/v1/internal/oauth/google/disconnect', 'identity', 'session'),
  door('/api/v1/internal/subscription/pricing', 'config', 'anyone'),
  door('/api/v1/internal/subscription', 'config', 'session'),
  door('/api/v1/internal/subscription/*', 'config', 'session'),
  door('/api/v1/internal/api-keys', 'api-key', 'session'),
  door('/api/v1/internal/api-keys/*', 'api-key', 'session'),
  door('/api/v1/internal/apikeyaudit/export', 'audit', 'session', { timeoutMs: null }),
  door('/api/v1/internal/apikeyaudit/*', 'audit', 'session'),
  door('/api/v1/internal/requests', 'audit', 'session'),
  door('/api/v1/internal/requests/export', 'audit', 'session', { timeoutMs: null }),
  door('/api/v1/internal/requests/*', 'audit', 'session'),
  door('/api/v1/internal/audit-trail', 'audit', 'session'),
  door('/api/v1/internal/notifications', 'audit', 'session'),
  door('/api/v1/internal/notifications/*', 'audit', 'session'),
  door('/api/v1/internal/events', 'audit', 'session', { timeoutMs: null, isEventStream: true }),
  door('/api/v1/status', 'audit', 'anyone'),
  door('/api/v1/contact', 'identity', 'anyone', { throttle: 'sign-up' }),
  door('/api/v1/admin/users', 'identity', 'session'),
  door('/api/v1/admin/users/*', 'identity', 'session'),
  door('/api/v1/admin/*', 'config', 'session'),
]
