import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { clockOf, momentOf } from '../../format/zoned-time.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { FieldError } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import './custom-fields.css'
import type { CustomRange } from './metrics-filter.ts'

type CustomFieldsProps = { range: CustomRange; onChange: (range: CustomRange) => void }

/** A custom range in the account's time zone; without an end it extends to now. */
export function CustomFields({ range, onChange }: CustomFieldsProps) {
  const { timezone } = useSettings()
  const [isBackwards, setBackwards] = useState(false)
  const noteId = useId()

  function choose(changed: Partial<CustomRange>): void {
    const next = { ...range, ...changed }
    const isWrong = next.to !== undefined && next.to <= next.from
    setBackwards(isWrong)
    if (!isWrong) onChange(next)
  }

  const shared = { type: 'datetime-local', className: 'mono', 'aria-describedby': noteId } as const
  return (
    <div className="custom-range" role="group" aria-label={t`Custom range, ${timezone}`}>
      <Input
        {...shared}
        aria-label={t`From`}
        value={clockOf(range.from, timezone)}
        onChange={({ currentTarget: { value } }) => {
          const from = momentOf(value, timezone)
          if (from !== undefined) choose({ from })
        }}
      />
      <span className="faint" aria-hidden="true">
        –
      </span>
      <Input
        {...shared}
        aria-label={t`To`}
        value={range.to === undefined ? '' : clockOf(range.to, timezone)}
        onChange={({ currentTarget: { value } }) => choose({ to: momentOf(value, timezone) })}
      />
      <span id={noteId} className="small muted" aria-live="polite">
        {isBackwards ? <FieldError>{t`The end must be after the start.`}</FieldError> : timezone}
      </span>
    </div>
  )
}
