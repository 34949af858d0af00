import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { RequestLogFilter } from '@tapeline/contracts/audit/requests'
import type { Outcome } from '@tapeline/contracts/usage/events'
import {
  type MetricsFilter,
  readFilter,
  reportQueryOf,
  type ReportFilter,
  writeFilter,
} from '../metrics/metrics-filter.ts'

/** The filter of the metrics page, and fields that only single requests have. */
export type RequestsFilter = MetricsFilter & {
  outcome: Outcome | undefined
  status: string | undefined
  /** A request id or a part of one. */
  requestId: string | undefined
}

export const OUTCOMES = [
  'ok',
  'denied',
  'client_error',
  'server_error',
  'aborted',
] as const satisfies readonly Outcome[]
export const OUTCOME_NAMES: Record<Outcome, MessageDescriptor> = {
  ok: msg`Served`,
  denied: msg`Rejected by a limit`,
  client_error: msg`Client error`,
  server_error: msg`Server error`,
  aborted: msg`Client disconnected`,
}

const STATUS = /^[1-5](xx|\d\d)$/
const REQUEST_ID = /^[0-9a-f]{1,32}$/

/** Invalid values in the URL are ignored. */
export function readRequestsFilter(search: URLSearchParams): RequestsFilter {
  const status = search.get('status') ?? ''
  return {
    ...readFilter(search),
    outcome: OUTCOMES.find((outcome) => outcome === search.get('outcome')),
    status: STATUS.test(status) ? status : undefined,
    requestId: cleanRequestId(search.get('request') ?? ''),
  }
}

export function writeRequestsFilter(filter: RequestsFilter): URLSearchParams {
  const search = writeFilter(filter)
  if (filter.outcome !== undefined) search.set('outcome', filter.outcome)
  if (filter.status !== undefined) search.set('status', filter.status)
  if (filter.requestId !== undefined) search.set('request', filter.requestId)
  return search
}

/** Whether more than the period limits the list. */
export function isFiltered({ route, keyId, outcome, status, requestId }: RequestsFilter): boolean {
  return [route, keyId, outcome, status, requestId].some((part) => part !== undefined)
}

/** The filter in the format of the call. */
export function queryOfFilter(filter: RequestsFilter): RequestLogFilter {
  const { requestId } = filter
  return { ...reportQueryOf(filter), ...(requestId === undefined ? {} : { requestId }) }
}

/** The filter of the tape above the log. The report cannot be filtered by request id: see `reportOfRequests`. */
export function tapeFilter(filter: RequestsFilter): ReportFilter {
  const withoutId: RequestsFilter = { ...filter, requestId: undefined }
  return withoutId
}

/** Pasted ids come with dashes, blanks and capitals. */
export function cleanRequestId(text: string): string | undefined {
  const id = text.toLowerCase().replaceAll(/[\s-]/g, '')
  return REQUEST_ID.test(id) ? id : undefined
}
