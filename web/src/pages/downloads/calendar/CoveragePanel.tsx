import { t } from '@lingui/core/macro'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { ChevronLeft, ChevronRight, Table2 } from 'lucide-react'
import { useState } from 'react'
import { addDays } from '../../../format/day.ts'
import { formatDate } from '../../../format/date.ts'
import { Button } from '../../../ui/Button.tsx'
import { Segmented } from '../../../ui/Segmented.tsx'
import { type DownloadsFilter, type Span, SPAN_DAYS } from '../downloads-filter.ts'
import type { Days } from '../downloads.queries.ts'
import { Calendar } from './Calendar.tsx'
import type { CoverageLine } from './coverage-days.ts'
import { CoverageTable } from './CoverageTable.tsx'
import { Legend } from './Legend.tsx'

type Props = {
  lines: readonly CoverageLine[]
  days: Days
  chosen: Instrument
  filter: DownloadsFilter
  isBusy: boolean
  /** The newest files of these days are not listed. */
  isCut: boolean
  /** Why the gaps of books are missing. */
  gapsError: string | undefined
  /** Instruments beyond those that are shown. */
  hidden: number
  onMore: () => void
  onChange: (changed: Partial<DownloadsFilter>) => void
}

export function CoveragePanel({ lines, days, chosen, filter, hidden, onMore, onChange, ...state }: Props) {
  const { isBusy, isCut, gapsError } = state
  const [isTable, setTable] = useState(false)
  return (
    <section className="panel" aria-labelledby="coverage" aria-busy={isBusy}>
      <div className="panel-head">
        <h2 id="coverage">{t`Coverage`}</h2>
        <span className="small muted">{t`${formatDate(days.first)} to ${formatDate(days.last)}, days in UTC`}</span>
        <span className="tools">
          <SpanChoice filter={filter} days={days} onChange={onChange} />
          <Button
            variant="quiet"
            size="small"
            isIconOnly
            aria-label={t`Coverage as a table`}
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
            icon={<Table2 className="icon" aria-hidden="true" />}
          />
        </span>
      </div>
      {isTable ? (
        <CoverageTable lines={lines} />
      ) : (
        <Calendar lines={lines} days={days} chosen={chosen} filter={filter} onChange={onChange} />
      )}
      {isCut && (
        <p className="panel-foot" role="alert">
          {t`These days have more files than the page lists: the newest are missing. Choose a shorter span.`}
        </p>
      )}
      {gapsError !== undefined && (
        <p className="panel-foot" role="alert">
          {t`Book gaps could not be loaded. ${gapsError}`}
        </p>
      )}
      {hidden > 0 && (
        <p className="panel-foot">
          <Button variant="quiet" size="small" onClick={onMore}>
            {t`More instruments (${hidden})`}
          </Button>
        </p>
      )}
      {!isTable && <Legend />}
    </section>
  )
}

type SpanProps = Pick<Props, 'filter' | 'days' | 'onChange'>

function SpanChoice({ filter, days, onChange }: SpanProps) {
  const move = (direction: 1 | -1) => onChange({ until: addDays(days.last, direction * SPAN_DAYS[filter.span]) })
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        isIconOnly
        aria-label={t`Earlier days`}
        onClick={() => move(-1)}
        icon={<ChevronLeft className="icon" aria-hidden="true" />}
      />
      <Button
        variant="quiet"
        size="small"
        isIconOnly
        aria-label={t`Later days`}
        isDisabled={days.last >= today}
        onClick={() => move(1)}
        icon={<ChevronRight className="icon" aria-hidden="true" />}
      />
      <Segmented<Span>
        label={t`Span`}
        value={filter.span}
        options={[
          { value: 'month', label: t`30 days` },
          { value: 'quarter', label: t`Quarter` },
          { value: 'year', label: t`Year` },
        ]}
        onChoose={(span) => onChange({ span })}
      />
    </>
  )
}
