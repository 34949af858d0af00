import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { clockOf, momentOf } from '../../format/zoned-time.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { FieldError } from '../../ui/Field.tsx'
import { TimeInput } from '../../ui/TimeInput.tsx'
import './custom-fields.css'
import type { CustomRange } from './metrics-filter.ts'

type CustomFieldsProps = { range: CustomRange; onChange: (range: CustomRange) => void }

/** A custom range in the account's time zone; without an end it extends to now. */
export function CustomFields({ range, onChange }: CustomFieldsProps) {
  const { timezone } = useSettings()
  /** A range that is shown and not applied, because its end is not after its start. */
  const [backwards, setBackwards] = useState<CustomRange>()
  const shown = backwards ?? range
  const noteId = useId()

  function choose(changed: Partial<CustomRange>): void {
    const next = { ...shown, ...changed }
    const isBackwards = next.to !== undefined && next.to <= next.from
    setBackwards(isBackwards ? next : undefined)
    if (!isBackwards) onChange(next)
  }

  const shared = { type: 'datetime-local', className: 'mono', 'aria-describedby': noteId } as const
  return (
    <div className="custom-range" role="group" aria-label={t`Custom range, ${timezone}`}>
      <TimeInput
        {...shared}
        aria-label={t`From`}
        value={clockOf(shown.from, timezone)}
        onPick={(clock) => {
          const from = momentOf(clock, timezone)
          if (from !== undefined) choose({ from })
        }}
      />
      <span className="faint" aria-hidden="true">
        –
      </span>
      <TimeInput
        {...shared}
        aria-label={t`To`}
        value={shown.to === undefined ? '' : clockOf(shown.to, timezone)}
        onPick={(clock) => choose({ to: momentOf(clock, timezone) })}
      />
      <span id={noteId} className="small muted" aria-live="polite">
        {backwards !== undefined ? <FieldError>{t`The end must be after the start.`}</FieldError> : timezone}
      </span>
    </div>
  )
}
