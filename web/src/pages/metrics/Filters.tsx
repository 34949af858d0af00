import { t } from '@lingui/core/macro'
import { PERIODS } from '@tapeline/contracts/audit/http'
import { useQuery } from '@tanstack/react-query'
import { i18n } from '../../language/i18n.ts'
import { Select } from '../../ui/Input.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { keysQuery } from '../api-keys/api-keys.queries.ts'
import { type MetricsFilter, PERIOD_NAMES, ROUTES } from './metrics-filter.ts'

type FiltersProps = { filter: MetricsFilter; onChange: (changed: Partial<MetricsFilter>) => void }

/** All of it is in the address, so that a view can be shared. */
export function Filters({ filter, onChange }: FiltersProps) {
  const keys = useQuery(keysQuery)
  const isKeyGone = filter.keyId !== undefined && keys.data?.every(({ id }) => id !== filter.keyId) === true
  return (
    <div className="filters">
      <Segmented
        label={t`Time range`}
        value={filter.period}
        onChoose={(period) => onChange({ period })}
        options={PERIODS.map((value) => ({
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
        }))}
      />
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
      <Select
        className="grow-m"
        aria-label={t`Key`}
        value={filter.keyId ?? ''}
        onChange={(event) => onChange({ keyId: event.currentTarget.value || undefined })}
      >
        <option value="">{t`All keys`}</option>
        {isKeyGone && <option value={filter.keyId}>{t`Deleted or unknown key`}</option>}
        {keys.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  )
}
