import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { useId } from 'react'
import { formatDay } from '../../format/day.ts'
import { Select } from '../../ui/Input.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { TimeInput } from '../../ui/TimeInput.tsx'
import { CHANNELS, type DownloadsFilter } from './downloads-filter.ts'
import type { Days } from './downloads.queries.ts'
import { channelName } from './names.ts'

type Props = {
  instruments: readonly Instrument[]
  chosen: Instrument
  filter: DownloadsFilter
  days: Days
  /** Undefined while unknown, or when no day is final. */
  finalTo: string | undefined
  onChange: (changed: Partial<DownloadsFilter>) => void
}

const BOTH = 'both'

export function DownloadFilters({ instruments, chosen, filter, days, finalTo, onChange }: Props) {
  return (
    <div className="filters">
      <Select
        aria-label={t`Instrument`}
        translate="no"
        value={chosen.instrument_id}
        onChange={({ currentTarget }) => {
          const next = instruments.find(({ instrument_id }) => String(instrument_id) === currentTarget.value)
          const isElsewhere = { until: undefined, from: undefined, to: undefined }
          onChange({ venue: next?.venue, symbol: next?.symbol, ...isElsewhere })
        }}
      >
        {instruments.map(({ instrument_id, symbol, venue }) => (
          <option key={instrument_id} value={instrument_id}>
            {symbol}, {venue}
          </option>
        ))}
      </Select>
      <Segmented
        label={t`Channel`}
        value={filter.channel ?? BOTH}
        options={[
          { value: BOTH, label: t`Both channels` },
          ...CHANNELS.map((channel) => ({ value: channel, label: channelName(channel) })),
        ]}
        onChoose={(value) => onChange({ channel: CHANNELS.find((channel) => channel === value) })}
      />
      <Day
        label={t`From`}
        value={filter.from ?? days.first}
        max={filter.to ?? days.last}
        onChange={(from) => onChange({ from })}
      />
      <Day
        label={t`To`}
        value={filter.to ?? days.last}
        min={filter.from ?? days.first}
        onChange={(to) => onChange({ to })}
      />
      {finalTo !== undefined && (
        <p>
          <Trans>
            Final through <b>{formatDay(finalTo)}</b>
          </Trans>
        </p>
      )}
    </div>
  )
}

type DayProps = {
  label: string
  value: string
  min?: string
  max?: string
  onChange: (day: string | undefined) => void
}

function Day({ label, value, min, max, onChange }: DayProps) {
  const id = useId()
  return (
    <span className="day">
      <label htmlFor={id}>{label}</label>
      <TimeInput id={id} type="date" value={value} min={min} max={max} onPick={(day) => onChange(day || undefined)} />
    </span>
  )
}
