import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import {
  type DashboardMetricsQuery,
  METRICS_PERIOD_DEFAULT,
  type Period,
  PERIODS,
} from '@tapeline/contracts/audit/http'

/** `custom` instead of a period: times in UTC; the end is omitted if it is the present. */
export type CustomRange = { from: string; to: string | undefined }
export type MetricsFilter = {
  period: Period
  custom?: CustomRange | undefined
  route: string | undefined
  keyId: string | undefined
}

/** Additional filters of the report that the metrics page does not offer. */
export type ReportFilter = MetricsFilter & {
  status?: DashboardMetricsQuery['status'] | undefined
  outcome?: DashboardMetricsQuery['outcome'] | undefined
}

const CUSTOM = 'custom'

export const PERIOD_NAMES: Record<Period, { long: MessageDescriptor; short: MessageDescriptor }> = {
  '1h': { long: msg`1 Hour`, short: msg`1h` },
  '24h': { long: msg`24 Hours`, short: msg`24h` },
  '7d': { long: msg`7 Days`, short: msg`7d` },
  '30d': { long: msg`30 Days`, short: msg`30d` },
  '90d': { long: msg`90 Days`, short: msg`90d` },
}

export const ROUTES = [
  { value: '', label: msg`All Endpoints` },
  { value: '/api/v1/trades/list', label: msg`Trades` },
  { value: '/api/v1/l2events/list', label: msg`L2 Events` },
  { value: '/api/v1/health', label: msg`Health` },
] as const

/** Parses the filter from the URL; unknown values are ignored. */
export function readFilter(search: URLSearchParams): MetricsFilter {
  const route = search.get('route') ?? ''
  const custom = readCustom(search)
  return {
    ...(custom === undefined ? {} : { custom }),
    period: PERIODS.find((period) => period === search.get('range')) ?? METRICS_PERIOD_DEFAULT,
    route: ROUTES.find(({ value }) => value !== '' && value === route)?.value,
    keyId: search.get('key') ?? undefined,
  }
}

/** Defaults are omitted from the URL. */
export function writeFilter({ period, custom, route, keyId }: MetricsFilter): URLSearchParams {
  const search = new URLSearchParams()
  if (custom !== undefined) {
    search.set('range', CUSTOM)
    search.set('from', custom.from)
    if (custom.to !== undefined) search.set('to', custom.to)
  } else if (period !== METRICS_PERIOD_DEFAULT) search.set('range', period)
  if (route !== undefined) search.set('route', route)
  if (keyId !== undefined) search.set('key', keyId)
  return search
}

/** The range in the format of the metrics calls. */
export function rangeOf({ period, custom }: MetricsFilter): { period: Period } | { from: string; to?: string } {
  if (custom === undefined) return { period }
  return { from: custom.from, ...(custom.to === undefined ? {} : { to: custom.to }) }
}

/** The query in the format of the report call. */
export function reportQueryOf(filter: ReportFilter): DashboardMetricsQuery {
  const { route, keyId, status, outcome } = filter
  return {
    ...rangeOf(filter),
    ...(route === undefined ? {} : { route }),
    ...(keyId === undefined ? {} : { apiKeyId: keyId }),
    ...(status === undefined ? {} : { status }),
    ...(outcome === undefined ? {} : { outcome }),
  }
}

function readCustom(search: URLSearchParams): CustomRange | undefined {
  const from = momentIn(search.get('from'))
  const to = momentIn(search.get('to'))
  if (search.get('range') !== CUSTOM || from === undefined) return undefined
  return to !== undefined && to <= from ? undefined : { from, to }
}

function momentIn(text: string | null): string | undefined {
  const moment = new Date(text ?? '')
  return text === null || Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}
