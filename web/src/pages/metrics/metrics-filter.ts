import { METRICS_PERIOD_DEFAULT, type Period, PERIODS } from '@tapeline/contracts/audit/http'

export type MetricsFilter = { period: Period; route: string | undefined; keyId: string | undefined }

export const PERIOD_NAMES: Record<Period, { long: string; short: string }> = {
  '1h': { long: '1 Hour', short: '1h' },
  '24h': { long: '24 Hours', short: '24h' },
  '7d': { long: '7 Days', short: '7d' },
  '30d': { long: '30 Days', short: '30d' },
  '90d': { long: '90 Days', short: '90d' },
}

export const ROUTES = [
  { value: '', label: 'All Endpoints' },
  { value: '/api/v1/trades/list', label: 'Trades' },
  { value: '/api/v1/l2events/list', label: 'L2 Events' },
  { value: '/api/v1/health', label: 'Health' },
] as const

/** The filter that an address asks for; what it does not know is as if it were not there. */
export function readFilter(search: URLSearchParams): MetricsFilter {
  const route = search.get('route') ?? ''
  return {
    period: PERIODS.find((period) => period === search.get('range')) ?? METRICS_PERIOD_DEFAULT,
    route: ROUTES.find(({ value }) => value !== '' && value === route)?.value,
    keyId: search.get('key') ?? undefined,
  }
}

/** Defaults are left out, so that the plain page has a plain address. */
export function writeFilter({ period, route, keyId }: MetricsFilter): URLSearchParams {
  const search = new URLSearchParams()
  if (period !== METRICS_PERIOD_DEFAULT) search.set('range', period)
  if (route !== undefined) search.set('route', route)
  if (keyId !== undefined) search.set('key', keyId)
  return search
}
