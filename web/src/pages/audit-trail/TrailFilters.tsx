import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { i18n } from '../../language/i18n.ts'
import { useUser } from '../../session/use-session.ts'
import { Select } from '../../ui/Input.tsx'
import { TimeInput } from '../../ui/TimeInput.tsx'
import { ABOUT, type TrailFilter } from './trail-filter.ts'

type Props = { filter: TrailFilter; onChange: (changed: Partial<TrailFilter>) => void }

export function TrailFilters({ filter, onChange }: Props) {
  const user = useUser()
  return (
    <div className="filters">
      <Select
        aria-label={t`About`}
        value={filter.about ?? ''}
        onChange={({ currentTarget }) => onChange({ about: currentTarget.value || undefined })}
      >
        {ABOUT.map(({ value, label }) => (
          <option key={value} value={value}>
            {i18n._(label)}
          </option>
        ))}
      </Select>
      <Day label={t`From`} value={filter.from} max={filter.to} onChange={(from) => onChange({ from })} />
      <Day label={t`To`} value={filter.to} min={filter.from} onChange={(to) => onChange({ to })} />
      {user.role === 'admin' && (
        <Select
          aria-label={t`Trail to show`}
          value={filter.isPlatform ? 'platform' : ''}
          onChange={({ currentTarget }) => onChange({ isPlatform: currentTarget.value === 'platform' })}
        >
          <option value="">{t`My account`}</option>
          <option value="platform">{t`The whole platform`}</option>
        </Select>
      )}
    </div>
  )
}

type DayProps = {
  label: string
  value: string | undefined
  min?: string | undefined
  max?: string | undefined
  onChange: (day: string | undefined) => void
}

function Day({ label, value, min, max, onChange }: DayProps) {
  const id = useId()
  return (
    <span className="day">
      <label htmlFor={id}>{label}</label>
      <TimeInput
        id={id}
        type="date"
        value={value ?? ''}
        min={min}
        max={max}
        onPick={(day) => onChange(day || undefined)}
      />
    </span>
  )
}
