import { t } from '@lingui/core/macro'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import type { DownloadsFilter } from '../downloads-filter.ts'
import type { Days } from '../downloads.queries.ts'
import { channelName } from '../names.ts'
import { type AxisLabel, monthLabels, weekLabels } from './axis.ts'
import { Cells } from './Cells.tsx'
import type { CoverageLine } from './coverage-days.ts'
import { lineWords } from './coverage-words.ts'

type Props = {
  lines: readonly CoverageLine[]
  days: Days
  chosen: Instrument
  filter: DownloadsFilter
  onChange: (changed: Partial<DownloadsFilter>) => void
}

/** One slot a day. Full: sealed. Hollow: not final, or not sealed yet. Below the line: a gap in the book. */
export function Calendar({ lines, days, chosen, filter, onChange }: Props) {
  const isChoice = filter.from !== undefined || filter.to !== undefined
  const selected = isChoice ? { from: filter.from ?? days.first, to: filter.to ?? days.last } : undefined
  return (
    <div className="coverage-calendar" role="region" tabIndex={0} aria-label={t`Coverage, calendar`}>
      <div className="matrix">
        <Axis labels={monthLabels(days)} />
        {lines.map((line, n) => {
          const { instrument, channel } = line
          const { venue, symbol } = instrument
          const isFirst = lines[n - 1]?.instrument !== instrument
          const isChosen = instrument === chosen && (filter.channel ?? channel) === channel
          return (
            <div key={`${instrument.instrument_id} ${channel}`} className={isFirst ? 'line first' : 'line'}>
              <p className="who" translate="no">
                {isFirst && (
                  <button
                    type="button"
                    aria-current={instrument === chosen}
                    onClick={() => onChange({ venue, symbol })}
                    title={t`Show the files of ${symbol}, ${venue}`}
                  >
                    <b>{symbol}</b> <span>{venue}</span>
                  </button>
                )}
              </p>
              <p className="channel">{channelName(channel)}</p>
              <Cells
                line={line}
                selected={isChosen ? selected : undefined}
                onChoose={(chosenDays) => onChange({ venue, symbol, ...chosenDays })}
              />
              <p className={line.gaps + line.empty > 0 ? 'outcome' : 'outcome faint'}>{lineWords(line)}</p>
            </div>
          )
        })}
        <Axis labels={weekLabels(days)} />
      </div>
    </div>
  )
}

function Axis({ labels }: { labels: readonly AxisLabel[] }) {
  return (
    <div className="scale" aria-hidden="true">
      <div className="axis">
        {labels.map(({ key, text, leftPercent }) => (
          <span key={key} style={{ left: `${leftPercent.toFixed(2)}%` }}>
            {text}
          </span>
        ))}
      </div>
    </div>
  )
}
