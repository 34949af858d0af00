import { Trans } from '@lingui/react/macro'
import { plural, t } from '@lingui/core/macro'
import { outcomeSentence } from './outcome-sentence.ts'
import type { Percentiles, UsagePoint, UsageReport } from '@tapeline/contracts/audit/http'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { formatMilliseconds } from '../../format/duration.ts'
import { formatCount, formatNumber, formatShortCount } from '../../format/number.ts'
import { useNavigate } from '../../router.ts'
import { Tape } from '../../ui/Tape.tsx'
import { axisLabels, bucketName } from './bucket-time.ts'
import { latencyPath, latencyScale, PROMISE_MS, slotCentre } from './chart-scale.ts'
import { Locked } from './Locked.tsx'
import { lockedTier } from './locked-tier.ts'
import type { MetricsFilter } from './metrics-filter.ts'
import { outcomeSlots, stripScale } from './outcome-slots.ts'
import { requestsIn } from './requests-of.ts'
import { thinSeries } from './thin-series.ts'

const LINES: readonly (keyof Percentiles)[] = ['p50', 'p95', 'p99']
const STRIP_HEIGHT_PX = 84

type TimeChartProps = { report: UsageReport; filter: MetricsFilter }

/** Percentiles over the outcome strip, on one axis. Arrows and the pointer choose a bucket, which is said and shown. */
export function TimeChart({ report, filter }: TimeChartProps) {
  const { series } = report
  const navigate = useNavigate()
  const [picked, setPicked] = useState<number>()
  const locked = lockedTier(report, 'basicAnalytics')
  const drawn = { ...report, series: thinSeries(series) }
  const subject = locked === undefined ? t`Response time and outcomes` : t`Outcomes`

  const point = picked === undefined ? undefined : series[picked]

  function openRequests(): void {
    if (point !== undefined) void navigate(requestsIn(filter, point))
  }

  function pickByKey(event: KeyboardEvent): void {
    if (event.key === 'Enter') return openRequests()
    const next = nextPick(event.key, picked, series.length)
    if (next === 'none') return setPicked(undefined)
    if (next === undefined) return
    event.preventDefault()
    setPicked(next)
  }

  return (
    <div
      className="panel-body"
      tabIndex={0}
      role="group"
      aria-roledescription={t`chart`}
      aria-label={t`${subject} over time. ${outcomeSentence(report)} Use the arrow keys to read each bucket, Enter to open its requests.`}
      onKeyDown={pickByKey}
      onClick={openRequests}
      onBlur={() => setPicked(undefined)}
    >
      <div className="chart">
        {locked === undefined ? (
          <LatencyLines report={drawn} />
        ) : (
          <div className="chart-locked">
            <Locked what={t`Percentiles`} tier={locked} />
          </div>
        )}
        <OutcomeStrip report={drawn} count={series.length} picked={picked} onPick={setPicked} />
        <div className="chart-x" aria-hidden="true">
          {axisLabels(series, report.period.bucket, report.period.tz).map(({ at, text }) => (
            <span key={at} className={at === 100 ? 'now' : undefined} style={{ left: `${at}%` }}>
              {text}
            </span>
          ))}
        </div>
      </div>
      <Readout point={point} tz={report.period.tz} />
    </div>
  )
}

type OutcomeStripProps = {
  report: UsageReport
  /** Buckets to pick from: there may be more than are drawn apart. */
  count: number
  picked: number | undefined
  onPick: (n: number | undefined) => void
}

function OutcomeStrip({ report, count, picked, onPick }: OutcomeStripProps) {
  const { series } = report
  function pickAt(event: PointerEvent<HTMLElement>): void {
    const box = event.currentTarget.getBoundingClientRect()
    const n = Math.floor(((event.clientX - box.left) / box.width) * count)
    onPick(Math.min(count - 1, Math.max(0, n)))
  }
  const { most, limit } = stripScale(report)
  return (
    <>
      <div className="strip-k" aria-hidden="true">
        {most > 0 && <span style={{ top: 4 }}>{formatShortCount(most)}</span>}
        <span style={{ top: 50 }}>0</span>
      </div>
      <div className="strip" onPointerMove={pickAt} onPointerLeave={() => onPick(undefined)}>
        <Tape
          now="right"
          label={outcomeSentence(report)}
          slots={outcomeSlots(series, most)}
          heightPx={STRIP_HEIGHT_PX}
        />
        {limit !== undefined && limit <= most && (
          <span className="limit-line" style={{ top: `${50 - (limit / most) * 50}%` }}>
            {t`limit ${formatShortCount(limit)}`}
          </span>
        )}
        {picked !== undefined && <span className="pick" style={{ left: `${slotCentre(picked, count)}%` }} />}
      </div>
      <div className="chart-ends" />
    </>
  )
}

function Readout({ point, tz }: { point: UsagePoint | undefined; tz: string }) {
  if (point === undefined) {
    return (
      <p className="readout" role="status">
        <span className="t3">{t`Point at a bucket, or use the arrow keys, to read it.`}</span>
      </p>
    )
  }
  const counts = [
    [point.success, plural(point.success, { one: 'served', other: 'served' })],
    [point.denied, plural(point.denied, { one: 'throttled', other: 'throttled' })],
    [point.failed - point.denied, plural(point.failed - point.denied, { one: 'failed', other: 'failed' })],
  ] as const
  return (
    <p className="readout" role="status">
      <b className="med">{bucketName(point, tz)}</b>
      {counts.map(([count, word]) => (
        <span key={word}>
          <span className="mono">{formatCount(count)}</span> {word}
        </span>
      ))}
      {point.latency_ms !== null && (
        <span>
          <Trans>
            p99 <span className="mono">{formatMilliseconds(point.latency_ms.p99)} ms</span>
          </Trans>
        </span>
      )}
    </p>
  )
}

function LatencyLines({ report: { series } }: { report: UsageReport }) {
  const scale = latencyScale(series)
  const last = series.findLast(({ latency_ms }) => latency_ms !== null)?.latency_ms
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
              className={milliseconds === PROMISE_MS ? 'limit' : 'grid'}
              x1="0"
              x2="100"
              y1={y}
              y2={y}
            />
          ))}
          {LINES.map((line) => (
            <path key={line} className={line} d={latencyPath(series, line, scale)} />
          ))}
        </svg>
        <span className="chart-note" style={{ left: 8, top: `calc(${scale.y(PROMISE_MS)}% - 18px)` }}>
          <Trans>
            <span className="hide-m">promise:</span> under {PROMISE_MS} ms
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

/** There is room for three digits beside the plot. */
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

function nextPick(key: string, picked: number | undefined, count: number): number | 'none' | undefined {
  const last = count - 1
  if (key === 'Escape') return 'none'
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'ArrowLeft') return Math.max(0, (picked ?? count) - 1)
  if (key === 'ArrowRight') return Math.min(last, (picked ?? last) + 1)
  return undefined
}
