import { readRejectedFields, REJECTED_FIELDS_HEADER } from '@tapeline/service/rejected-fields'

/** Hop-by-hop headers, credentials, and headers that only the gateway may set: none of them reaches a service. */
const REMOVED = new Set([
  'authorization',
  'baggage',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-actor',
  'x-api-key',
  'x-deadline-ms',
  'x-real-ip',
  'x-request-id',
  'x-stream-messages-per-second',
])
const REMOVED_PREFIXES = ['x-user-', 'x-actor', 'x-internal-', 'x-forwarded-', 'x-client-']
/** Headers of a service that are not forwarded, or that the gateway sets itself. */
const REMOVED_ANSWERS = new Set([
  'connection',
  'content-security-policy',
  'cross-origin-resource-policy',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'ratelimit',
  'ratelimit-policy',
  'referrer-policy',
  'server',
  'te',
  'traceparent',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-content-type-options',
  'x-frame-options',
  'x-powered-by',
  'x-request-id',
])
const REMOVED_ANSWER_PREFIXES = ['access-control-', 'x-ratelimit-', 'x-actor', 'x-internal-']

/** The client's headers as far as a service may see them, as a flat list. */
export function forwardedHeaders(rawHeaders: readonly string[], connection: string | undefined): string[] {
  const named = connection === undefined || isPlain(connection) ? undefined : namedBy(connection)
  const forwarded: string[] = []
  for (let n = 0; n + 1 < rawHeaders.length; n += 2) {
    const name = (rawHeaders[n] ?? '').toLowerCase()
    if (isRemoved(name) || named?.has(name) === true) continue
    forwarded.push(name, rawHeaders[n + 1] ?? '')
  }
  return forwarded
}

/** Some software reads `_` as `-`: names with one are not forwarded. */
function isRemoved(name: string): boolean {
  return REMOVED.has(name) || name.includes('_') || startsWithAny(name, REMOVED_PREFIXES)
}

/** A service's headers for the client, and values that it reports for the usage event. */
export type ServiceReport = {
  headers: string[]
  code: string | null
  /** JSON, as it goes into the usage event. */
  rejectedFields: string | undefined
  rowsReturned: number | null
}

const CODE = /^[a-z_]{1,40}\.[a-z_]{1,60}$/
const ROWS = /^\d{1,9}$/

/** Splits a service's headers into those that the client receives and those reported for the usage event. */
export function splitResponseHeaders(rawHeaders: readonly string[]): ServiceReport {
  const found: ServiceReport = { headers: [], code: null, rejectedFields: undefined, rowsReturned: null }
  let named: Set<string> | undefined
  for (let n = 0; n + 1 < rawHeaders.length; n += 2) {
    const name = (rawHeaders[n] ?? '').toLowerCase()
    const value = rawHeaders[n + 1] ?? ''
    if (name === 'connection' && !isPlain(value)) named = namedBy(value)
    else if (!takeReport(found, name, value) && !isRemovedAnswer(name)) found.headers.push(name, value)
  }
  if (named !== undefined) removeNamed(found.headers, named)
  return found
}

/** A 204 or 304 has no Content-Length, and an error is never cached. */
export function finalHeaders(status: number, forwarded: string[]): string[] {
  if (status === 204 || status === 304) remove(forwarded, 'content-length')
  if (status >= 400) {
    remove(forwarded, 'cache-control')
    forwarded.push('cache-control', 'no-store')
  }
  return forwarded
}

function remove(forwarded: string[], name: string): void {
  for (let n = forwarded.length - 2; n >= 0; n -= 2) if (forwarded[n] === name) forwarded.splice(n, 2)
}

function takeReport(found: ServiceReport, name: string, value: string): boolean {
  if (name === 'x-error-code') found.code = CODE.test(value) ? value : null
  else if (name === 'x-rows-returned') found.rowsReturned = ROWS.test(value) ? Number(value) : null
  else if (name === REJECTED_FIELDS_HEADER) found.rejectedFields = readRejectedFields(value)
  else return false
  return true
}

function isRemovedAnswer(name: string): boolean {
  return REMOVED_ANSWERS.has(name) || startsWithAny(name, REMOVED_ANSWER_PREFIXES)
}

function removeNamed(forwarded: string[], named: Set<string>): void {
  for (let n = forwarded.length - 2; n >= 0; n -= 2) if (named.has(forwarded[n] ?? '')) forwarded.splice(n, 2)
}

function namedBy(connection: string): Set<string> {
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}

function isPlain(connection: string): boolean {
  return connection === 'keep-alive' || connection === 'close' || connection === 'Keep-Alive'
}

function startsWithAny(name: string, prefixes: readonly string[]): boolean {
  if (name.charCodeAt(1) !== 45 && name.charCodeAt(0) !== 97) return false
  for (const prefix of prefixes) if (name.startsWith(prefix)) return true
  return false
}
