import { t } from '@lingui/core/macro'
import { i18n } from '../../language/i18n.ts'
import { Input, Select } from '../../ui/Input.tsx'
import { Filters } from '../metrics/Filters.tsx'
import { useTypedFilter } from '../use-typed-filter.ts'
import { ExportMenu } from './ExportMenu.tsx'
import { cleanRequestId, OUTCOME_NAMES, OUTCOMES, type RequestsFilter } from './requests-filter.ts'

const STATUSES = ['2xx', '4xx', '5xx', '400', '401', '403', '404', '429', '499', '500', '502', '503', '504']

type Props = { filter: RequestsFilter; onChange: (changed: Partial<RequestsFilter>) => void }

export function RequestFilters({ filter, onChange }: Props) {
  const statuses =
    filter.status === undefined || STATUSES.includes(filter.status) ? STATUSES : [...STATUSES, filter.status]
  return (
    <>
      <Filters filter={filter} onChange={onChange} />
      <div className="filters more">
        <Select
          className="grow-m"
          aria-label={t`Outcome`}
          value={filter.outcome ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange({ outcome: OUTCOMES.find((outcome) => outcome === value) })
          }
        >
          <option value="">{t`All outcomes`}</option>
          {OUTCOMES.map((outcome) => (
            <option key={outcome} value={outcome}>
              {i18n._(OUTCOME_NAMES[outcome])}
            </option>
          ))}
        </Select>
        <Select
          className="grow-m"
          aria-label={t`Status`}
          value={filter.status ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ status: value || undefined })}
        >
          <option value="">{t`All statuses`}</option>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {status}
            </option>
          ))}
        </Select>
        <RequestIdInput value={filter.requestId ?? ''} onChange={(requestId) => onChange({ requestId })} />
        <ExportMenu filter={filter} />
      </div>
    </>
  )
}

type IdProps = { value: string; onChange: (requestId: string | undefined) => void }

/** Applies when typing pauses. Text that cannot be part of an id shows an error and does not filter. */
function RequestIdInput({ value, onChange }: IdProps) {
  const { typed, type } = useTypedFilter({ value, onApply: (text) => onChange(cleanRequestId(text)), addressOf: idIn })
  const isWrong = idIn(typed) === undefined
  return (
    <Input
      className="mono grow-m"
      type="search"
      aria-label={t`Request id`}
      placeholder={t`Request id`}
      spellCheck={false}
      title={isWrong ? t`A request id has only the digits 0 to 9 and a to f.` : undefined}
      aria-invalid={isWrong || undefined}
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}

function idIn(text: string): string | undefined {
  return text.trim() === '' ? '' : cleanRequestId(text)
}
