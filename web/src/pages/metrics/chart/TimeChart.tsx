import { t } from '@lingui/core/macro'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { useNavigate } from '../../../router.ts'
import { axisLabels } from './bucket-time.ts'
import type { ChartRange } from './chart-range.ts'
import { ChartReadout } from './ChartReadout.tsx'
import { slotCentre } from './chart-scale.ts'
import { LatencyLines } from './LatencyLines.tsx'
import { Locked } from '../Locked.tsx'
import { lockedTier } from '../locked-tier.ts'
import type { MetricsFilter } from '../metrics-filter.ts'
import { bucketOf, nextPick, type TimeSpan } from '../next-pick.ts'
import { OutcomeStrip } from './OutcomeStrip.tsx'
import { outcomeSentence } from './outcome-sentence.ts'
import { requestsIn } from '../requests-of.ts'
import { thinSeries } from './thin-series.ts'
import { useChartPointer } from './use-chart-pointer.ts'

type TimeChartProps = {
  report: UsageReport
  filter: MetricsFilter
  /** Whether the series reaches the present. */
  isNow: boolean
  onZoom: (range: ChartRange | undefined) => void
}

/** Percentiles over the outcome strip, on one axis. Arrow keys and the pointer select a bucket, which is announced and shown. */
export function TimeChart({ report, filter, isNow, onZoom }: TimeChartProps) {
  const { series } = report
  const navigate = useNavigate()
  const plot = useRef<HTMLDivElement>(null)
  const [pickedSpan, setPickedSpan] = useState<TimeSpan>()
  const picked = bucketOf(series, pickedSpan)
  const locked = lockedTier(report, 'basicAnalytics')
  const subject = locked === undefined ? t`Response time and outcomes` : t`Outcomes`
  const point = picked === undefined ? undefined : series[picked]
  const pick = (n: number) => setPickedSpan(series[n])
  const open = (n: number | undefined) => {
    const chosen = n === undefined ? undefined : series[n]
    if (chosen !== undefined) void navigate(requestsIn(filter, chosen))
  }
  const pointer = useChartPointer({ plot, count: series.length, onPick: pick, onOpen: open, onZoom })

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter') return open(picked)
    if (event.key === 'Escape') return picked === undefined ? onZoom(undefined) : setPickedSpan(undefined)
    if (event.key === '+' && picked !== undefined) return onZoom(halfAround(picked, series.length))
    if (event.key === '-') return onZoom(undefined)
    const next = nextPick(event, picked, series)
    if (next === undefined) return
    event.preventDefault()
    pick(next)
  }

  return (
    <div
      className="panel-body"
      tabIndex={0}
      role="group"
      aria-roledescription={t`chart`}
      aria-label={t`${subject} over time. ${outcomeSentence(report)} Use the arrow keys to read each bucket, Enter to open its requests, plus and minus to zoom.`}
      onKeyDown={onKeyDown}
    >
      <ChartReadout
        point={point}
        isPartial={point?.partial === true}
        tz={report.period.tz}
        requests={point && requestsIn(filter, point)}
      />
      <Drawing report={report} isNow={isNow} picked={picked} plot={plot} pointer={pointer} />
    </div>
  )
}

type DrawingProps = Pick<TimeChartProps, 'report' | 'isNow'> & {
  picked: number | undefined
  plot: RefObject<HTMLDivElement | null>
  pointer: ReturnType<typeof useChartPointer>
}

function Drawing({ report, isNow, picked, plot, pointer }: DrawingProps) {
  const { series, period } = report
  const locked = lockedTier(report, 'basicAnalytics')
  const drawn = { ...report, series: thinSeries(series) }
  return (
    <div className={isNow ? 'chart' : 'chart is-past'} {...pointer.handlers}>
      {locked === undefined ? (
        <LatencyLines report={drawn} />
      ) : (
        <div className="chart-locked">
          <Locked what={t`percentiles`} tier={locked} />
        </div>
      )}
      <OutcomeStrip report={drawn} isNow={isNow} />
      <div className={locked === undefined ? 'plot-over' : 'plot-over is-strip'} ref={plot}>
        <Overlay report={report} picked={picked} dragged={pointer.dragged} />
      </div>
      <div className="chart-x" aria-hidden="true">
        {axisLabels(series, period.bucket, period.tz).map(({ at, text }) => (
          <span key={at} className={at === 100 && isNow ? 'now' : undefined} style={{ left: `${at}%` }}>
            {text}
          </span>
        ))}
      </div>
    </div>
  )
}

type OverlayProps = { report: UsageReport; picked: number | undefined; dragged: ChartRange | undefined }

/** Overlay of plot and strip: the running bucket, the selected one, the dragged range. */
function Overlay({ report, picked, dragged }: OverlayProps) {
  const { series } = report
  const count = series.length
  const last = series.at(-1)
  const band = ({ first, end }: ChartRange) => ({
    left: `${(first / count) * 100}%`,
    width: `${((end - first) / count) * 100}%`,
  })
  return (
    <>
      {last?.partial === true && (
        <span className="running" data-testid="running" style={band({ first: count - 1, end: count })} />
      )}
      {dragged !== undefined && <span className="dragged" style={band(dragged)} />}
      {picked !== undefined && (
        <>
          <span className="pick-band" style={band({ first: picked, end: picked + 1 })} />
          <span className="pick" style={{ left: `${slotCentre(picked, count)}%` }} />
        </>
      )}
    </>
  )
}

const BUCKETS_MIN = 2

/** Half of the visible range, around one bucket. */
function halfAround(n: number, count: number): ChartRange {
  const width = Math.max(BUCKETS_MIN, Math.ceil(count / 2))
  const first = Math.min(Math.max(0, n - Math.floor(width / 2)), Math.max(0, count - width))
  return { first, end: Math.min(count, first + width) }
}
