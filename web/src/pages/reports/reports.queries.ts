import type { AlertList, SaveAlert, UsageAlert } from '@tapeline/contracts/audit/alerts'
import type { CustomReport, ReportList, SaveReport } from '@tapeline/contracts/audit/reports'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform.ts'
import { queryClient } from '../../queries.ts'

const REPORTS = '/api/v1/internal/reports'
const ALERTS = '/api/v1/internal/alerts'
/** Reports can be sent, and alerts raised, while the page is open. */
const REFETCH_MS = 10_000

export const reportsQuery = queryOptions({
  queryKey: ['reports'],
  queryFn: ({ signal }) => api.data<ReportList>({ path: REPORTS, signal }),
  refetchInterval: REFETCH_MS,
})

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => api.data<AlertList>({ path: ALERTS, signal }),
  refetchInterval: REFETCH_MS,
})

/** Without an id a new report is created. */
export async function saveReport(id: string | undefined, body: SaveReport): Promise<void> {
  const call =
    id === undefined ? { method: 'POST' as const, path: REPORTS } : { method: 'PUT' as const, path: `${REPORTS}/${id}` }
  await reportsChanged(api.data<CustomReport>({ ...call, body }))
}

export async function deleteReport(id: string): Promise<void> {
  await reportsChanged(api.send({ method: 'DELETE', path: `${REPORTS}/${id}` }))
}

/** Mails it now, in addition to its schedule. */
export async function sendReport(id: string): Promise<void> {
  await reportsChanged(api.send({ method: 'POST', path: `${REPORTS}/${id}/send` }))
}

/** The file that a mail would contain now. */
export async function fetchPreview({ id, format }: CustomReport): Promise<{ name: string; file: Blob }> {
  const response = await api.open({ path: `${REPORTS}/${id}/preview` })
  return { name: `tapeline-report.${format}`, file: await response.blob() }
}

/** Without an id a new alert is created. */
export async function saveAlert(id: string | undefined, body: SaveAlert): Promise<void> {
  const call =
    id === undefined ? { method: 'POST' as const, path: ALERTS } : { method: 'PUT' as const, path: `${ALERTS}/${id}` }
  await api.data<UsageAlert>({ ...call, body })
  await queryClient.invalidateQueries({ queryKey: alertsQuery.queryKey })
}

export async function deleteAlert(id: string): Promise<void> {
  await api.send({ method: 'DELETE', path: `${ALERTS}/${id}` })
  await queryClient.invalidateQueries({ queryKey: alertsQuery.queryKey })
}

/** The body that saves a report unchanged. */
export function bodyOfReport(report: CustomReport): SaveReport {
  const { name, api_key_id, status, route, breakdown, format, weekday, hour, active } = report
  return { name, api_key_id, status, route, breakdown, format, weekday, hour, active }
}

/** The body that saves an alert unchanged. */
export function bodyOfAlert({ name, api_key_id, policy, percent, channels, active }: UsageAlert): SaveAlert {
  return { name, api_key_id, policy, percent, channels, active }
}

async function reportsChanged(call: Promise<unknown>): Promise<void> {
  await call
  await queryClient.invalidateQueries({ queryKey: reportsQuery.queryKey })
}
