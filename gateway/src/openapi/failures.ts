import { type ErrorCode, errorStatuses } from '@tapeline/contracts/error-code'
import type { Route } from '../routing/route.ts'
import type { Described } from './openapi-document.ts'

type Response = { description: string; content: object }

const ALWAYS: ErrorCode[] = [
  'service.failed',
  'service.unavailable',
  'upstream.unavailable',
  'upstream.timed_out',
  'gateway.overloaded',
]
const OF_CREDENTIALS: ErrorCode[] = [
  'credential.missing',
  'credential.invalid',
  'credential.in_query',
  'session.ended',
  'request.forbidden',
  'account.unavailable',
]
const OF_KEYS: ErrorCode[] = [
  'limit.burst_exceeded',
  'limit.minute_exceeded',
  'limit.hour_exceeded',
  'limit.day_exceeded',
  'limit.month_exceeded',
  'limit.concurrency_exceeded',
  'journal.full',
]
const OF_THROTTLES: ErrorCode[] = ['throttle.exceeded']
const OF_INPUT: ErrorCode[] = ['request.invalid']
const OF_ADDRESSES: ErrorCode[] = ['request.address_too_long']
const OF_BODIES: ErrorCode[] = ['request.timed_out', 'request.too_large', 'request.media_type_unsupported']

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

/** The failures of a call by status, each naming its codes: those of the call, its credential, its limits and its input. */
export function failuresOf(
  route: Route,
  described: Omit<Described, 'responses'>,
  own: readonly ErrorCode[],
): Record<string, Response> {
  const hasBody = described['requestBody'] !== undefined
  const hasParameters = described['parameters'] !== undefined
  const codes = new Set<ErrorCode>([
    ...own,
    ...ALWAYS,
    ...(route.who === 'anyone' ? [] : OF_CREDENTIALS),
    ...(route.who === 'key or session' || route.isCounted ? OF_KEYS : []),
    ...(route.who === 'anyone' || route.throttle !== 'public' ? OF_THROTTLES : []),
    ...(hasBody || hasParameters ? OF_INPUT : []),
    ...(hasParameters ? OF_ADDRESSES : []),
    ...(hasBody ? OF_BODIES : []),
  ])
  const byStatus = Object.groupBy([...codes], (code) => String(errorStatuses[code]))
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, found = []]) => [
      status,
      { description: found.toSorted().join(', '), content: PROBLEM },
    ]),
  )
}
