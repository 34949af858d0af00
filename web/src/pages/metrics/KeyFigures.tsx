import type { UsagePoint, UsageReport } from '@tapeline/contracts/audit/http'
import { formatMilliseconds } from '../../format/duration.ts'
import { formatCount, formatPercent, formatRate } from '../../format/number.ts'
import { Stat, Stats } from '../../ui/Stat.tsx'
import { bucketName } from './bucket-time.ts'
import { lockedTier } from './locked-tier.ts'

const MINUTE_MS = 60_000

export function KeyFigures({ report }: { report: UsageReport }) {
  const { total, success, denied, failed, latency_ms, series, period } = report
  const minutes = (Date.parse(period.to) - Date.parse(period.from)) / MINUTE_MS
  const locked = lockedTier(report, 'basicAnalytics')
  return (
    <Stats>
      <Stat
        label="Requests"
        value={formatCount(total)}
        detail={`${formatCount(success)} served, ${formatCount(denied)} throttled, ${formatCount(failed - denied)} failed`}
      />
      <Stat
        label="Success rate"
        value={total === 0 ? 'N/A' : formatPercent(success / total).replace('%', '')}
        {...(total === 0 ? {} : { unit: '%' })}
        detail={total === 0 ? 'no requests yet' : `${formatCount(failed)} of ${formatCount(total)} were not served`}
      />
      <Stat
        label="Response time, p95"
        value={latency_ms === null ? 'N/A' : formatMilliseconds(latency_ms.p95)}
        {...(latency_ms === null ? {} : { unit: 'ms' })}
        detail={latencyDetail(report, locked)}
      />
      <Stat
        label="Throughput"
        value={formatRate(total / Math.max(1, minutes))}
        unit="/min"
        detail={peakDetail(series, period.tz)}
      />
    </Stats>
  )
}

function latencyDetail({ latency_ms }: UsageReport, locked: string | undefined): string {
  if (locked !== undefined) return `percentiles come with ${locked}`
  if (latency_ms === null) return 'no requests yet'
  return `p50 ${formatMilliseconds(latency_ms.p50)} ms, p99 ${formatMilliseconds(latency_ms.p99)} ms`
}

function peakDetail(series: readonly UsagePoint[], tz: string): string {
  const peak = series.reduce<UsagePoint | undefined>(
    (most, point) => (point.total > (most?.total ?? 0) ? point : most),
    undefined,
  )
  return peak === undefined ? 'no peak yet' : `peak ${formatCount(peak.total)}, ${bucketName(peak, tz)}`
}
