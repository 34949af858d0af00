import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { Search } from 'lucide-react'
import { i18n } from '../../language/i18n.ts'
import { Select } from '../../ui/Input.tsx'
import { useTypedFilter } from '../use-typed-filter.ts'
import { BulkActions } from './bulk/BulkActions.tsx'
import { type KeysFilter, type Sort, SORTS, STATES } from './list-keys.ts'

const SORT_NAMES: Record<Sort, MessageDescriptor> = {
  newest: msg`Newest first`,
  name: msg`By name`,
  requests: msg`Most requests first`,
  'last-used': msg`Last used first`,
  unused: msg`Longest unused first`,
  expiry: msg`Expiring soonest first`,
}
const STATE_NAMES = { active: msg`Active`, off: msg`Not active` }

type KeysBarProps = {
  keys: readonly ApiKey[]
  /** Keys that match the filter, in its order. */
  shown: readonly ApiKey[]
  filter: KeysFilter
  onChange: (changed: Partial<KeysFilter>) => void
}

export function KeysBar({ keys, shown, filter, onChange }: KeysBarProps) {
  const { typed, type } = useTypedFilter({ value: filter.find, onApply: (find) => onChange({ find }) })
  return (
    <div className="keys-bar" role="search" aria-label={t`API keys`}>
      <label className="searchbox">
        <Search className="icon" aria-hidden="true" />
        <input
          type="search"
          aria-label={t`Find a key`}
          placeholder={t`Find a key`}
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
      </label>
      <Select
        aria-label={t`State`}
        value={filter.state ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ state: STATES.find((state) => state === value) })}
      >
        <option value="">{t`All states`}</option>
        {STATES.map((state) => (
          <option key={state} value={state}>
            {i18n._(STATE_NAMES[state])}
          </option>
        ))}
      </Select>
      <BulkActions keys={keys} shown={shown} filter={filter} onChange={onChange} />
      <Select
        aria-label={t`Order`}
        value={filter.sort}
        onChange={({ currentTarget: { value } }) =>
          onChange({ sort: SORTS.find((sort) => sort === value) ?? 'newest' })
        }
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {i18n._(SORT_NAMES[sort])}
          </option>
        ))}
      </Select>
    </div>
  )
}
