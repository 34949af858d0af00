import { t } from '@lingui/core/macro'
import type { UsageForecast } from '@tapeline/contracts/audit/forecast'
import { formatDayOfMonth } from '../../../format/date.ts'
import { formatCount, formatShortCount } from '../../../format/number.ts'
import { bandPath, type ForecastScale, forecastScale, likelyPoints, linePath, usedPoints } from './forecast-scale.ts'

/** Requests of the month added up: a line until now, then the likely one inside its range. */
export function ForecastChart({ forecast, sentence }: { forecast: UsageForecast; sentence: string }) {
  const { month, as_of: asOf, used, limit, end } = forecast
  const scale = forecastScale(forecast)
  const now = scale.x(asOf)
  const top = (requests: number) => ({ top: `${scale.y(requests)}%` })
  return (
    <div className="chart forecast-chart">
      <div className="chart-y" aria-hidden="true">
        {scale.grid.map((requests) => (
          <span key={requests} style={top(requests)}>
            {formatShortCount(requests)}
          </span>
        ))}
      </div>
      <div className="chart-plot" role="img" aria-label={sentence}>
        <Lines forecast={forecast} scale={scale} />
        {scale.showsLimit && (
          <span className="chart-note" style={{ left: '8px', ...top(limit) }}>
            {t`Limit: ${formatCount(limit)}`}
          </span>
        )}
        <span className="now-line" style={{ left: `${now}%` }} />
        <span className="now-dot" style={{ left: `${now}%`, ...top(used) }} />
      </div>
      <RangeLabels end={end} y={scale.y} />
      <TimeLabels month={month} now={now} />
    </div>
  )
}

type TimeLabelsProps = { month: UsageForecast['month']; now: number }

/** "now" stays beside the days at the ends: the labels are monospaced, so their widths are known. */
function TimeLabels({ month, now }: TimeLabelsProps) {
  const [first, name, last] = [formatDayOfMonth(month.from), t`now`, formatDayOfMonth(month.to)]
  const besides = (day: string): string => `${day.length + name.length / 2 + 1}ch`
  return (
    <div className="chart-x" aria-hidden="true">
      <span style={{ left: 0 }}>{first}</span>
      <span className="now-name" style={{ left: `clamp(${besides(first)}, ${now}%, calc(100% - ${besides(last)}))` }}>
        {name}
      </span>
      <span style={{ left: '100%' }}>{last}</span>
    </div>
  )
}

type RangeLabelsProps = { end: UsageForecast['end']; y: (requests: number) => number }

/** The range at the end of the month, beside the plot. */
function RangeLabels({ end, y }: RangeLabelsProps) {
  if (end === null) return <div className="chart-ends" />
  return (
    <div className="chart-ends" aria-hidden="true">
      <span className="faint" style={{ top: `calc(${y(end.high)}% - 14px)` }}>
        {formatShortCount(end.high)}
      </span>
      <span style={{ top: `${y(end.likely)}%` }}>{t`${formatShortCount(end.likely)} likely`}</span>
      <span className="faint" style={{ top: `calc(${y(end.low)}% + 14px)` }}>
        {formatShortCount(end.low)}
      </span>
    </div>
  )
}

function Lines({ forecast, scale }: { forecast: UsageForecast; scale: ForecastScale }) {
  const { limit, end } = forecast
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path className="band" d={bandPath(forecast, scale)} />
      {scale.grid.map((requests) => (
        <line
          key={requests}
          className={requests === 0 ? 'zero' : 'grid'}
          x1="0"
          x2="100"
          y1={scale.y(requests)}
          y2={scale.y(requests)}
        />
      ))}
      {scale.showsLimit && <line className="limit" x1="0" x2="100" y1={scale.y(limit)} y2={scale.y(limit)} />}
      <path className="used" d={linePath(usedPoints(forecast), scale)} />
      {end !== null && <path className="likely" d={linePath(likelyPoints(forecast), scale)} />}
    </svg>
  )
}
