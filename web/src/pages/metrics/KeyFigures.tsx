import { t } from '@lingui/core/macro'
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
        label={t`Requests`}
        value={formatCount(total)}
        detail={t`${formatCount(success)} served, ${formatCount(denied)} throttled, ${formatCount(failed - denied)} failed`}
      />
      <Stat
        label={t`Success rate`}
        value={total === 0 ? t`N/A` : formatPercent(success / total).replace(/\s*%/, '')}
        {...(total === 0 ? {} : { unit: '%' })}
        detail={total === 0 ? t`no requests yet` : t`${formatCount(failed)} of ${formatCount(total)} were not served`}
      />
      <Stat
        label={t`Response time, p95`}
        value={latency_ms === null ? t`N/A` : formatMilliseconds(latency_ms.p95)}
        {...(latency_ms === null ? {} : { unit: 'ms' })}
        detail={latencyDetail(report, locked)}
      />
      <Stat
        label={t`Throughput`}
        value={formatRate(total / Math.max(1, minutes))}
        unit={t`/min`}
        detail={peakDetail(series, period.tz)}
      />
    </Stats>
  )
}

function latencyDetail({ latency_ms }: UsageReport, locked: string | undefined): string {
  if (locked !== undefined) return t`percentiles come with ${locked}`
  if (latency_ms === null) return t`no requests yet`
  return t`p50 ${formatMilliseconds(latency_ms.p50)} ms, p99 ${formatMilliseconds(latency_ms.p99)} ms`
}

function peakDetail(series: readonly UsagePoint[], tz: string): string {
  const peak = series.reduce<UsagePoint | undefined>(
    (most, point) => (point.total > (most?.total ?? 0) ? point : most),
    undefined,
  )
  return peak === undefined ? t`no peak yet` : t`peak ${formatCount(peak.total)}, ${bucketName(peak, tz)}`
}
