import { STREAM_TYPES } from '@tapeline/contracts/market-data/http'

/** A 503 of one part of a service: too many concurrent sign-ins, or the store of sealed days does not answer. */
const PARTIAL_OUTAGE_CODES: ReadonlySet<string | null> = new Set(['login.busy', 'data.unavailable'])

/** Whether a 503 with this code does not affect the service's other calls. */
export function isPartialOutage(code: string | null): boolean {
  return PARTIAL_OUTAGE_CODES.has(code)
}

/** Rows that are streamed for as long as the client reads them: only silence ends such an answer. */
export function isRowStream(rawHeaders: readonly string[]): boolean {
  return rawHeaders.some((text, n) => n % 2 === 1 && STREAM_TYPES.some((type) => text.startsWith(type)))
}
