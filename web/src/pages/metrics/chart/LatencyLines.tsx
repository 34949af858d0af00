import { Trans } from '@lingui/react/macro'
import type { Percentiles, UsagePoint, UsageReport } from '@tapeline/contracts/audit/http'
import { formatMilliseconds } from '../../../format/duration.ts'
import { formatCount, formatNumber } from '../../../format/number.ts'
import { latencyMarks, latencyPath, latencyScale, TARGET_MS } from './chart-scale.ts'

const LINES: readonly (keyof Percentiles)[] = ['p50', 'p95', 'p99']

/** Percentiles over time: whole buckets joined by a line, a partial one a hollow mark by itself. */
export function LatencyLines({ report }: { report: UsageReport }) {
  const { series } = report
  const scale = latencyScale(series)
  const last = series.findLast(({ latency_ms }) => latency_ms !== null)?.latency_ms
  const isHollow = (point: UsagePoint) => point.partial
  return (
    <>
      <div className="chart-y" aria-hidden="true">
        {scale.ticks.map(({ milliseconds, y }) => (
          <span key={milliseconds} style={{ top: `${y}%` }}>
            {milliseconds}
          </span>
        ))}
      </div>
      <div className="chart-plot">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {scale.ticks.map(({ milliseconds, y }) => (
            <line
              key={milliseconds}
              className={milliseconds === TARGET_MS ? 'limit' : 'grid'}
              x1="0"
              x2="100"
              y1={y}
              y2={y}
            />
          ))}
          {LINES.map((line) => {
            const y = ({ latency_ms }: UsagePoint) => (latency_ms === null ? undefined : scale.y(latency_ms[line]))
            return (
              <g key={line}>
                <path className={line} d={latencyPath(series, y, isHollow)} />
                <path className={`${line} marks`} d={latencyMarks(series, y, () => true)} />
                <path className="marks hollow" d={latencyMarks(series, y, isHollow)} />
              </g>
            )
          })}
        </svg>
        <span className="chart-note" style={{ left: 8, top: `calc(${scale.y(TARGET_MS)}% - 18px)` }}>
          <Trans>
            <span className="hide-m">target:</span> under {TARGET_MS} ms
          </Trans>
        </span>
      </div>
      <div className="chart-ends" aria-hidden="true">
        {last !== undefined &&
          last !== null &&
          spread(LINES.map((line) => ({ line, y: scale.y(last[line]) }))).map(({ line, y }) => (
            <span key={line} className={line} style={{ top: `${y}%` }}>
              <span className="name">{line}</span> {formatEnd(last[line])}
            </span>
          ))}
      </div>
    </>
  )
}

const SECOND_MS = 1_000

/** Space for three digits next to the plot. */
function formatEnd(milliseconds: number): string {
  if (milliseconds >= SECOND_MS) return `${formatNumber(milliseconds / SECOND_MS, 1)} s`
  return `${milliseconds < 10 ? formatMilliseconds(milliseconds) : formatCount(Math.round(milliseconds))} ms`
}

/** Names at the lines' ends, pushed apart so that none covers another. */
function spread<T extends { y: number }>(ends: T[]): T[] {
  const APART_PERCENT = 9
  let above = Number.POSITIVE_INFINITY
  return ends.map((end) => {
    const y = Math.min(end.y, above - APART_PERCENT)
    above = y
    return { ...end, y }
  })
}
