import { t } from '@lingui/core/macro'
import { PERIODS } from '@tapeline/contracts/audit/http'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Select } from '../../ui/Input.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { CustomFields } from './CustomFields.tsx'
import { keysQuery } from '../api-keys/api-keys.queries.ts'
import { type CustomRange, type MetricsFilter, PERIOD_NAMES, ROUTES } from './metrics-filter.ts'

type FiltersProps = {
  filter: MetricsFilter
  onChange: (changed: Partial<MetricsFilter>) => void
  /** Shown at the end of the line. */
  children?: ReactNode
}

const CUSTOM = 'custom'
const DAY_MS = 86_400_000

/** All of it is in the URL, so that a view can be shared. */
export function Filters({ filter, onChange, children }: FiltersProps) {
  return (
    <div className="filters">
      <Segmented
        label={t`Time range`}
        value={filter.custom === undefined ? filter.period : CUSTOM}
        onChoose={(chosen) =>
          onChange(chosen === CUSTOM ? { custom: lastDay() } : { period: chosen, custom: undefined })
        }
        options={[
          ...PERIODS.map((value) => ({
            value,
            name: i18n._(PERIOD_NAMES[value].long),
            label: (
              <>
                <span className="only-wide">{i18n._(PERIOD_NAMES[value].long)}</span>
                <span className="only-narrow" aria-hidden="true">
                  {i18n._(PERIOD_NAMES[value].short)}
                </span>
              </>
            ),
          })),
          { value: CUSTOM, label: t`Custom` },
        ]}
      />
      {filter.custom !== undefined && (
        <CustomFields range={filter.custom} onChange={(custom) => onChange({ custom })} />
      )}
      <Select
        className="grow-m"
        aria-label={t`Route`}
        value={filter.route ?? ''}
        onChange={(event) => onChange({ route: event.currentTarget.value || undefined })}
      >
        {ROUTES.map(({ value, label }) => (
          <option key={value} value={value}>
            {i18n._(label)}
          </option>
        ))}
      </Select>
      <KeyFilter keyId={filter.keyId} onChange={(keyId) => onChange({ keyId })} />
      {children}
    </div>
  )
}

type KeyFilterProps = { keyId: string | undefined; onChange: (keyId: string | undefined) => void }

/** The chosen key is also shown before the keys are loaded. */
function KeyFilter({ keyId, onChange }: KeyFilterProps) {
  const keys = useQuery(keysQuery)
  const isListed = keyId === undefined || keys.data?.some(({ id }) => id === keyId) === true
  return (
    <Select
      className="grow-m"
      aria-label={t`Key`}
      value={keyId ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    >
      <option value="">{t`All keys`}</option>
      {!isListed && <option value={keyId}>{keys.data === undefined ? t`one key` : t`Deleted or unknown key`}</option>}
      {keys.data?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

/** Default start of a custom range. */
function lastDay(): CustomRange {
  const from = new Date(Date.now() - DAY_MS)
  from.setUTCSeconds(0, 0)
  return { from: from.toISOString(), to: undefined }
}
