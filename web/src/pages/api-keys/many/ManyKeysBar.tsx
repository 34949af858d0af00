import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Select } from '../../../ui/Input.tsx'
import { type KeysFilter, UNUSED_DAYS } from '../list-keys.ts'
import { BulkDialog } from './BulkDialog.tsx'

type ManyKeysBarProps = {
  keys: readonly ApiKey[]
  filter: KeysFilter
  onChange: (changed: Partial<KeysFilter>) => void
}

/** Keys by tag and by how long they have not been used, and changes of all keys with a tag. */
export function ManyKeysBar({ keys, filter: { tag, unused }, onChange }: ManyKeysBarProps) {
  const [isChanging, setChanging] = useState(false)
  const tags = [...new Set(keys.flatMap((key) => key.tags))].toSorted()
  const shown = tag === undefined || tags.includes(tag) ? tags : [...tags, tag]
  return (
    <>
      {shown.length > 0 && (
        <Select
          aria-label={t`Tag`}
          value={tag ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ tag: value || undefined })}
        >
          <option value="">{t`Every tag`}</option>
          {shown.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Select>
      )}
      <Select
        aria-label={t`Last use`}
        value={unused ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ unused: UNUSED_DAYS.find((days) => String(days) === value) })
        }
      >
        <option value="">{t`Any last use`}</option>
        {UNUSED_DAYS.map((days) => (
          <option key={days} value={days}>
            {t`Unused for ${days} days`}
          </option>
        ))}
      </Select>
      {tag !== undefined && <Button onClick={() => setChanging(true)}>{t`Change all tagged ${tag}`}</Button>}
      {tag !== undefined && isChanging && <BulkDialog tag={tag} onClose={() => setChanging(false)} />}
    </>
  )
}
