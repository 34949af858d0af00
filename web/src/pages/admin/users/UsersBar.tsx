import { t } from '@lingui/core/macro'
import { Search } from 'lucide-react'
import { roleName } from '../../../session/role-names.ts'
import { Select } from '../../../ui/Input.tsx'
import { useTypedFilter } from '../../use-typed-filter.ts'
import { ROLE_CHOICES, STATUS_CHOICES, type UsersFilter } from './users-filter.ts'

type UsersBarProps = { filter: UsersFilter; onChange: (changed: Partial<UsersFilter>) => void }

export function UsersBar({ filter, onChange }: UsersBarProps) {
  return (
    <div className="pagebar">
      <p>{t`Newest first; a change applies to the account's next request`}</p>
      <div className="actions users-filters">
        <Words words={filter.search} onWords={(search) => onChange({ search })} />
        <Select
          aria-label={t`Role`}
          value={filter.role ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ role: ROLE_CHOICES.find((role) => role === value) })}
        >
          <option value="">{t`All roles`}</option>
          {ROLE_CHOICES.map((role) => (
            <option key={role} value={role}>
              {roleName(role)}
            </option>
          ))}
        </Select>
        <Select
          aria-label={t`Status`}
          value={filter.status ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ status: STATUS_CHOICES.find((one) => one === value) })}
        >
          <option value="">{t`All statuses`}</option>
          {STATUS_CHOICES.map((status) => (
            <option key={status} value={status}>
              {status === 'active' ? t`Active` : t`Inactive`}
            </option>
          ))}
        </Select>
      </div>
    </div>
  )
}

function Words({ words, onWords }: { words: string; onWords: (words: string) => void }) {
  const { typed, type } = useTypedFilter({ value: words, onApply: onWords })
  return (
    <label className="searchbox find">
      <Search className="icon" aria-hidden="true" />
      <input
        type="search"
        aria-label={t`Find an account`}
        placeholder={t`Email, name or id`}
        maxLength={100}
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
    </label>
  )
}
