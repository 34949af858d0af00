import { plural, t } from '@lingui/core/macro'
import type { UsagePoint, UsageReport } from '@tapeline/contracts/audit/http'
import { formatMilliseconds } from '../../format/duration.ts'
import { formatCount, formatPercent, formatRate } from '../../format/number.ts'
import { Link } from '../../router.ts'
import { Stat, Stats } from '../../ui/Stat.tsx'
import { compareWithPrevious, type Difference } from './compare-previous.ts'
import { bucketName } from './chart/bucket-time.ts'
import { lockedTier } from './locked-tier.ts'

const MINUTE_MS = 60_000

/** `throttled` is the URL of the report's requests that a limit rejected. */
export function KeyFigures({ report, throttled }: { report: UsageReport; throttled: string }) {
  const { total, success, denied, failed, latency_ms, series, period } = report
  const minutes = (Date.parse(period.to) - Date.parse(period.from)) / MINUTE_MS
  const locked = lockedTier(report, 'basicAnalytics')
  const since = report.previous === null ? undefined : compareWithPrevious(report, report.previous)
  return (
    <Stats>
      <Stat
        label={t`Requests`}
        value={formatCount(total)}
        detail={
          <>
            <Since difference={since?.total} />
            {plural(success, { one: '# served', other: '# served' })},{' '}
            {plural(failed, { one: '# failed', other: '# failed' })}
            {denied > 0 && (
              <>
                {' ('}
                <Link className="link" to={throttled}>
                  {plural(denied, { one: '# rejected by a limit', other: '# rejected by a limit' })}
                </Link>
                )
              </>
            )}
          </>
        }
      />
      <SuccessRate report={report} since={since?.success} />
      <Stat
        label={t`Response time, p95`}
        value={latency_ms === null ? t`N/A` : formatMilliseconds(latency_ms.p95)}
        {...(latency_ms === null ? {} : { unit: 'ms' })}
        detail={
          <>
            <Since difference={since?.p95} />
            {latencyDetail(report, locked)}
          </>
        }
      />
      <Stat
        label={t`Throughput`}
        value={formatRate(total / Math.max(1, minutes))}
        unit={t`/min`}
        detail={
          <>
            {locked !== undefined && (
              <span className="since">{t`Upgrade to ${locked} to compare with the previous period`}</span>
            )}
            {peakDetail(series, period.tz)}
          </>
        }
      />
    </Stats>
  )
}

function SuccessRate({ report, since }: { report: UsageReport; since: Difference | undefined }) {
  const { total, success, failed } = report
  if (total === 0) return <Stat label={t`Success rate`} value={t`N/A`} detail={t`no requests yet`} />
  return (
    <Stat
      label={t`Success rate`}
      value={formatPercent(success / total).replace(/\s*%/, '')}
      unit="%"
      detail={
        <>
          <Since difference={since} />
          {plural(failed, {
            one: `# of ${formatCount(total)} failed`,
            other: `# of ${formatCount(total)} failed`,
          })}
        </>
      }
    />
  )
}

/** Against the same length of time before. */
function Since({ difference }: { difference: Difference | undefined }) {
  if (difference === undefined) return null
  const { direction, text } = difference
  const spoken = { up: t`up`, down: t`down`, same: t`unchanged` }[direction]
  return (
    <span className="since">
      <span aria-hidden="true">{{ up: '▲', down: '▼', same: '=' }[direction]}</span>
      <span className="sr-only">{spoken}</span> {direction === 'same' ? t`unchanged` : text}
    </span>
  )
}

function latencyDetail({ latency_ms }: UsageReport, locked: string | undefined): string {
  if (locked !== undefined) return t`percentiles require ${locked}`
  if (latency_ms === null) return t`no requests yet`
  return t`p50 ${formatMilliseconds(latency_ms.p50)} ms, p99 ${formatMilliseconds(latency_ms.p99)} ms`
}

function peakDetail(series: readonly UsagePoint[], tz: string): string {
  const peak = series.reduce<UsagePoint | undefined>(
    (most, point) => (point.total > (most?.total ?? 0) ? point : most),
    undefined,
  )
  return peak === undefined ? t`no requests yet` : t`peak ${formatCount(peak.total)}, ${bucketName(peak, tz)}`
}
