import { type Static, Type } from 'typebox'
import { DashboardMetricsQuery } from './http.ts'
import { RequestLogFilter } from './requests.ts'

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const
const format = { format: Type.Optional(Type.Enum(EXPORT_FORMATS)) }

/** The current filter of the request log. */
export const ExportRequestsQuery = Type.Object(
  { ...RequestLogFilter.properties, ...format },
  { additionalProperties: false },
)
export type ExportRequestsQuery = Static<typeof ExportRequestsQuery>

/** The current filter of the report; one line per bucket of the series. */
export const ExportUsageQuery = Type.Object(
  { ...DashboardMetricsQuery.properties, ...format },
  { additionalProperties: false },
)
export type ExportUsageQuery = Static<typeof ExportUsageQuery>
