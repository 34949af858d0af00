/** Flat list of names and values, as `writeHead` takes it. */
export type HeaderList = readonly string[]

/** On every answer, whether a service or the gateway gives it. */
export const SECURITY_HEADERS: HeaderList = [
  'x-content-type-options',
  'nosniff',
  'x-frame-options',
  'DENY',
  'referrer-policy',
  'no-referrer',
  'content-security-policy',
  "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy',
  'cross-origin',
  'vary',
  'Origin',
]
const EXPOSED =
  'x-request-id, traceparent, ratelimit, ratelimit-policy, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, ' +
  'x-ratelimit-policy, retry-after, content-disposition'
const PREFLIGHT_AGE_S = '600'

export type BrowserPolicy = {
  /** Origin of the pages: the first of the list. */
  site: string | undefined
  isAllowed: (origin: string) => boolean
  headersFor: (origin: string | undefined) => HeaderList
  /** Beside `headersFor`: a browser refuses an answer that names the same origin twice. */
  preflightFor: (origin: string | undefined) => HeaderList
}

/** Which pages may call from a browser: an exact list of origins; no cookies, so no credentials mode. */
export function createBrowserPolicy(corsOrigins: string, hstsMaxAgeS = 0): BrowserPolicy {
  const security =
    hstsMaxAgeS === 0 ? SECURITY_HEADERS : [...SECURITY_HEADERS, 'strict-transport-security', `max-age=${hstsMaxAgeS}`]
  const origins = corsOrigins
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '')
  const allowed = new Map(origins.map((origin) => [origin, [...security, ...corsHeaders(origin)]]))
  return {
    site: origins[0],
    isAllowed: (origin) => allowed.has(origin),
    headersFor: (origin) => (origin === undefined ? undefined : allowed.get(origin)) ?? security,
    preflightFor: (origin) => (origin !== undefined && allowed.has(origin) ? PREFLIGHT : NONE),
  }
}

function corsHeaders(origin: string): HeaderList {
  return ['access-control-allow-origin', origin, 'access-control-expose-headers', EXPOSED]
}

const NONE: HeaderList = []
const PREFLIGHT: HeaderList = [
  'access-control-allow-methods',
  'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers',
  'authorization, content-type, x-api-key, idempotency-key, last-event-id, traceparent',
  'access-control-max-age',
  PREFLIGHT_AGE_S,
]
