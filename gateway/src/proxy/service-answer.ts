import { STREAM_TYPES } from '@tapeline/contracts/market-data/http'
import { PARTIAL_OUTAGE_HEADER } from '@tapeline/service/app-error'
import { splitResponseHeaders } from './forward-headers.ts'

/** A 503 of one part of a service: too many concurrent sign-ins, or the store of sealed days does not answer. */
const PARTIAL_OUTAGE_CODES: ReadonlySet<string | null> = new Set(['login.busy', 'data.unavailable'])

/** Whether a 503 with these headers does not affect the service's other calls. */
export function isPartialOutage(rawHeaders: readonly string[]): boolean {
  if (rawHeaders.some((text, n) => n % 2 === 0 && text.toLowerCase() === PARTIAL_OUTAGE_HEADER)) return true
  return PARTIAL_OUTAGE_CODES.has(splitResponseHeaders(rawHeaders).code)
}

/** Rows that are streamed for as long as the client reads them: only silence ends such an answer. */
export function isRowStream(rawHeaders: readonly string[]): boolean {
  return rawHeaders.some((text, n) => n % 2 === 1 && STREAM_TYPES.some((type) => text.startsWith(type)))
}
