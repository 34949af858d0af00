import { plural, t } from '@lingui/core/macro'
import type { Tier } from '@tapeline/contracts/actor'
import type { UsageForecast } from '@tapeline/contracts/audit/forecast'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { formatDayOfMonth } from '../../../format/date.ts'
import { formatCount } from '../../../format/number.ts'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../../ui/Skeleton.tsx'
import { forecastQuery } from '../plan.queries.ts'
import './forecast.css'
import { ForecastChart } from './ForecastChart.tsx'
import { fitWords, rangeWords, usedUpWords } from './forecast-words.ts'

/** The month until its end, from the account's own history. */
export function Forecast({ tier }: { tier: Tier }) {
  const forecast = useQuery(forecastQuery)
  return (
    <section className="panel" aria-labelledby="forecast">
      <div className="panel-head">
        <h2 id="forecast">{t`This month`}</h2>
        <span className="small muted">{t`cumulative requests`}</span>
      </div>
      {forecast.data === undefined && forecast.isPending && (
        <Skeleton label={t`Loading the forecast`}>
          <div className="panel-body">
            <Bone widthPx={320} />
          </div>
        </Skeleton>
      )}
      {forecast.data === undefined && forecast.isError && (
        <ErrorPanel
          title={t`The forecast could not be loaded`}
          requestId={forecast.error instanceof ApiError ? forecast.error.requestId : undefined}
          onRetry={() => void forecast.refetch()}
          isRetrying={forecast.isFetching}
        />
      )}
      {forecast.data !== undefined && <Month forecast={forecast.data} tier={tier} />}
    </section>
  )
}

function Month({ forecast, tier }: { forecast: UsageForecast; tier: Tier }) {
  const { used, limit, end, history, month } = forecast
  const sentence =
    end === null
      ? t`${formatCount(used)} of ${formatCount(limit)} requests so far. Not enough history for a forecast.`
      : t`${formatCount(used)} requests so far; likely ${formatCount(end.likely)} by ${formatDayOfMonth(month.to)}, between ${formatCount(end.low)} and ${formatCount(end.high)}; the limit is ${formatCount(limit)}.`
  const days = history.days_needed
  const usedUp = usedUpWords(forecast)
  return (
    <>
      <ForecastChart forecast={forecast} sentence={sentence} />
      <div className="panel-foot forecast-words">
        {end === null ? (
          <p>
            {plural(history.days, {
              one: `Not enough history for a forecast: # complete day of ${days}.`,
              other: `Not enough history for a forecast: # complete days of ${days}.`,
            })}
          </p>
        ) : (
          <>
            <p className={usedUp === undefined ? undefined : 'state state-warn'}>{usedUp ?? rangeWords(forecast)}</p>
            <p className="muted">
              {plural(history.days, {
                one: 'Computed from # day. Eight of ten months end inside the range.',
                other:
                  'Computed from your last # days, weekdays and weekends separately. Eight of ten months end inside the range.',
              })}
            </p>
          </>
        )}
        <p>{fitWords(forecast, tier)}</p>
      </div>
    </>
  )
}
