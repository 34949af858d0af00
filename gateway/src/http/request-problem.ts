import { hasKeyInQuery, keyInQuery } from '../auth/authenticate.ts'
import { newProblem, type Problem } from '../problems/problem.ts'
import type { GatewayRequest } from './request-context.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
const ALLOWED = [...METHODS, 'OPTIONS'].join(', ')
const methodNotAllowed = { ...newProblem('request.method_not_allowed', `Use ${ALLOWED}.`), headers: ['allow', ALLOWED] }
const ADDRESS_CHARACTERS_MAX = 8_192
const addressTooLong = newProblem(
  'request.address_too_long',
  'The URL is longer than 8,192 characters. Shorten it, or send the parameters in the body.',
)
const CLOSE = ['connection', 'close']
const hostInvalid: Problem = {
  ...newProblem('request.invalid', 'Send one Host header with a host name and, if needed, a port.'),
  headers: CLOSE,
}
const unknownCoding: Problem = {
  ...newProblem(
    'request.transfer_encoding_unsupported',
    'Send the body with Content-Length, or with Transfer-Encoding: chunked and no other coding.',
  ),
  headers: CLOSE,
}
/** A name, an IPv4 address or a bracketed IPv6 address, and a port: no list, user, path or empty value. */
const HOST = /^(?:[\w.~-]+|\[[\dA-Fa-f:.]+\])(?::\d{1,5})?$/
const HOST_LENGTH = 4

/** Problems found before authentication: such a request is charged to no account. */
export function requestProblem(request: GatewayRequest): Problem | undefined {
  const { url = '', method = '', headers } = request
  if (url.length > ADDRESS_CHARACTERS_MAX) return addressTooLong
  if (!hasValidHost(request)) return hostInvalid
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return unknownCoding
  if (method === 'OPTIONS') return undefined
  if (!METHODS.has(method)) return methodNotAllowed
  return hasKeyInQuery(url) ? keyInQuery : undefined
}

/** An ambiguous request: the rest of its connection cannot be trusted either. */
export function isAmbiguous({ headers }: Problem): boolean {
  return headers === CLOSE
}

/** `headers.host` is the first of several; HTTP/1.0 needs none. */
function hasValidHost({ headers, rawHeaders, httpVersionMinor }: GatewayRequest): boolean {
  const { host } = headers
  if (host === undefined) return httpVersionMinor === 0
  if (!HOST.test(host)) return false
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? ''
    if (name.length === HOST_LENGTH && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1
}
