import { t } from '@lingui/core/macro'

const DAYS = [1, 7, 30] as const
export const DAYS_DEFAULT = 7

type PeriodSelectProps = { days: number; onDays: (days: number) => void }

/** Selects the number of days. */
export function PeriodSelect({ days, onDays }: PeriodSelectProps) {
  return (
    <select
      className="select"
      aria-label={t`Period`}
      value={days}
      onChange={({ target }) => onDays(Number(target.value))}
    >
      {DAYS.map((one) => (
        <option key={one} value={one}>
          {one === 1 ? t`Last 24 hours` : t`Last ${one} days`}
        </option>
      ))}
    </select>
  )
}
