import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Select } from '../../../ui/Input.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { type KeysFilter, UNUSED_DAYS } from '../list-keys.ts'
import { BulkDialog } from './BulkDialog.tsx'
import { keysCsv } from './keys-csv.ts'
import { UnusedDialog } from './UnusedDialog.tsx'

type BulkActionsProps = {
  keys: readonly ApiKey[]
  shown: readonly ApiKey[]
  filter: KeysFilter
  onChange: (changed: Partial<KeysFilter>) => void
}

/** Filters by tag and last use, and the actions on all filtered keys. */
export function BulkActions(props: BulkActionsProps) {
  const { keys, filter, onChange } = props
  const { tag, unused } = filter
  const used = [...new Set(keys.flatMap((key) => key.tags))].toSorted()
  const tags = tag === undefined || used.includes(tag) ? used : [...used, tag]
  return (
    <>
      {tags.length > 0 && (
        <Select
          aria-label={t`Tag`}
          value={tag ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ tag: value || undefined })}
        >
          <option value="">{t`All tags`}</option>
          {tags.map((one) => (
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
      <Actions {...props} />
    </>
  )
}

/** For the filtered keys: changes all with a tag, revokes the unused ones, or exports them as CSV. */
function Actions({ shown, filter: { tag, unused } }: BulkActionsProps) {
  const [dialog, setDialog] = useState<'change' | 'revoke'>()
  const close = (): void => setDialog(undefined)
  const unrevoked = shown.filter(({ status }) => status !== 'revoked')
  return (
    <>
      {tag !== undefined && <Button onClick={() => setDialog('change')}>{t`Change all tagged ${tag}`}</Button>}
      {unused !== undefined && (
        <Button isDisabled={unrevoked.length === 0} onClick={() => setDialog('revoke')}>{t`Revoke unused keys`}</Button>
      )}
      <Button
        variant="quiet"
        icon={<Download className="icon" aria-hidden="true" />}
        isDisabled={shown.length === 0}
        onClick={() => saveFile('tapeline-keys.csv', csvOf(shown))}
      >
        {t`Export CSV`}
      </Button>
      {tag !== undefined && dialog === 'change' && <BulkDialog tag={tag} onClose={close} />}
      {unused !== undefined && dialog === 'revoke' && <UnusedDialog days={unused} keys={unrevoked} onClose={close} />}
    </>
  )
}

function csvOf(keys: readonly ApiKey[]): Blob {
  return new Blob([keysCsv(keys, Date.now())], { type: 'text/csv' })
}
