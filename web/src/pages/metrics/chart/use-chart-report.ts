import type { UsageReport } from '@tapeline/contracts/audit/http'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ChartRange, finerPeriods, fitRange, coversMostRequests, sliceReport } from './chart-range.ts'
import type { MetricsFilter } from '../metrics-filter.ts'
import { metricsQuery } from '../metrics.queries.ts'

/** Times instead of indexes, because the series advances while it is displayed. */
type Zoom = { from: string; to: string }
type View = { of: 'fit' | 'all'; zoom?: Zoom }

/** The charted part of a report: without a selected range, the shortest range with 95 % of the requests. */
export function useChartReport(report: UsageReport, filter: MetricsFilter, isRangeChosen: boolean) {
  const [view, setView] = useState<View>({ of: isRangeChosen ? 'all' : 'fit' })
  const finer = useFinerReport(report, filter, view.of === 'fit')
  const base = finer ?? report
  const range = view.zoom === undefined ? fittedRange(base, view) : zoomedRange(base, view.zoom)
  const shown = range === undefined ? base : sliceReport(base, range)
  return {
    shown,
    isFitted: view.of === 'fit' && view.zoom === undefined && shown !== report,
    isZoomed: view.zoom !== undefined,
    isNow: shown.series.at(-1)?.to === base.series.at(-1)?.to,
    /** Zooms to a range, or to the whole period without one. */
    zoomTo: (to: ChartRange | undefined) => {
      const [first, last] = to === undefined ? [] : [shown.series[to.first], shown.series[to.end - 1]]
      if (first === undefined || last === undefined) setView({ of: 'all' })
      else setView({ of: view.of, zoom: { from: first.from, to: last.to } })
    },
  }
}

function fittedRange({ series }: UsageReport, { of }: View): ChartRange | undefined {
  return of === 'fit' ? fitRange(series) : undefined
}

function zoomedRange({ series }: UsageReport, { from, to }: Zoom): ChartRange | undefined {
  const inside = series.flatMap((point, n) => (point.from >= from && point.from < to ? [n] : []))
  const [first, last] = [inside[0], inside.at(-1)]
  return first === undefined || last === undefined ? undefined : { first, end: last + 1 }
}

/** The same requests in finer buckets, if an hour or a day contains nearly all of them. */
function useFinerReport(report: UsageReport, filter: MetricsFilter, isEnabled: boolean): UsageReport | undefined {
  const likely = isEnabled ? finerPeriods(report) : []
  const hour = useQuery({ ...metricsQuery({ ...filter, period: '1h' }), enabled: likely.includes('1h') })
  const isHourDue = likely.includes('1h') && (hour.data === undefined || coversMostRequests(hour.data, report))
  const isDayNeeded = likely.includes('24h') && !isHourDue
  const day = useQuery({ ...metricsQuery({ ...filter, period: '24h' }), enabled: isDayNeeded })
  if (isHourDue) return hour.data
  return isDayNeeded ? finestComplete(day.data, report) : undefined
}

function finestComplete(short: UsageReport | undefined, long: UsageReport): UsageReport | undefined {
  return short !== undefined && coversMostRequests(short, long) ? short : undefined
}
