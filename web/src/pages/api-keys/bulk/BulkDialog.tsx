import { msg, plural, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { BulkAction, BulkAnswer } from '@tapeline/contracts/api-key/bulk'
import { i18n } from '../../../language/i18n.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field, FieldError } from '../../../ui/Field.tsx'
import { Input, Select } from '../../../ui/Input.tsx'
import { StateBadge } from '../../../ui/StateBadge.tsx'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { keyState } from '../key-state.ts'
import { BulkResult } from './BulkResult.tsx'
import { type BulkForm, useBulkChange } from './use-bulk-change.ts'

const ACTIONS: readonly { value: BulkAction; label: MessageDescriptor }[] = [
  { value: 'deactivate', label: msg`Pause` },
  { value: 'activate', label: msg`Activate` },
  { value: 'expire', label: msg`Set an expiration date` },
  { value: 'rotate', label: msg`Replace the secrets` },
  { value: 'revoke', label: msg`Revoke` },
]
const GRACES: readonly { value: number; label: MessageDescriptor }[] = [
  { value: 0, label: msg`Immediately` },
  { value: 60, label: msg`After 1 minute` },
  { value: 3_600, label: msg`After 1 hour` },
  { value: 86_400, label: msg`After 24 hours` },
]

/** One change of all keys with a tag: first a preview, then the change of exactly these keys. */
export function BulkDialog({ tag, onClose }: { tag: string; onClose: () => void }) {
  const bulk = useBulkChange(tag)
  const { form, preview, result, problem, isBusy } = bulk
  if (result !== undefined) return <BulkResult tag={tag} result={result} onClose={onClose} />
  const count = preview?.keys.length ?? 0
  const isFinal = form.action === 'revoke' || form.action === 'rotate'
  return (
    <Dialog
      title={t`Change all keys tagged ${tag}`}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          {preview === undefined ? (
            <Button variant="primary" isBusy={isBusy} onClick={() => void bulk.show()}>
              {t`Preview`}
            </Button>
          ) : (
            <Button
              variant={isFinal ? 'danger' : 'primary'}
              isBusy={isBusy}
              isDisabled={count === 0}
              onClick={() => void bulk.apply(preview.preview)}
            >
              {plural(count, { one: 'Change # key', other: 'Change # keys' })}
            </Button>
          )}
          <Button onClick={onClose} isDisabled={isBusy}>
            {t`Cancel`}
          </Button>
        </>
      }
    >
      <div className="stack wide">
        <Choice form={form} change={bulk.change} />
        {preview !== undefined && <Preview preview={preview} isFinal={isFinal} />}
        <div className="slot" role="alert">
          {problem !== undefined && <FieldError>{problem}</FieldError>}
        </div>
      </div>
    </Dialog>
  )
}

type ChoiceProps = { form: BulkForm; change: (changed: Partial<BulkForm>) => void }

function Choice({ form, change }: ChoiceProps) {
  return (
    <>
      <Field label={t`Change`}>
        {(control) => (
          <Select
            {...control}
            value={form.action}
            onChange={({ currentTarget: { value } }) =>
              change({ action: ACTIONS.find((one) => one.value === value)?.value ?? 'deactivate' })
            }
          >
            {ACTIONS.map(({ value, label }) => (
              <option key={value} value={value}>
                {i18n._(label)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {form.action === 'expire' && (
        <Field label={t`Expiration Date`} hint={t`They work until the end of that day, UTC.`}>
          {(control) => (
            <Input
              {...control}
              type="date"
              className="mono"
              value={form.expires_at}
              onChange={({ currentTarget }) => change({ expires_at: currentTarget.value })}
            />
          )}
        </Field>
      )}
      {form.action === 'rotate' && (
        <Field
          label={t`Old secrets stop working`}
          hint={
            form.grace_seconds === 0
              ? undefined
              : t`Of a key whose current secret was never used, the one before it keeps working.`
          }
        >
          {(control) => (
            <Select
              {...control}
              value={form.grace_seconds}
              onChange={({ currentTarget }) => change({ grace_seconds: Number(currentTarget.value) })}
            >
              {GRACES.map(({ value, label }) => (
                <option key={value} value={value}>
                  {i18n._(label)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </>
  )
}

function Preview({ preview: { keys }, isFinal }: { preview: BulkAnswer; isFinal: boolean }) {
  const nowMs = useNow()
  return (
    <div className="bulk-preview" aria-live="polite">
      <p>
        {keys.length === 0
          ? t`No key with this tag can be changed.`
          : isFinal
            ? t`Nothing has changed yet. This cannot be undone:`
            : t`Nothing has changed yet. These keys would be changed:`}
      </p>
      <ul>
        {keys.map(({ key }) => {
          const { tone, text } = keyState(key, nowMs)
          return (
            <li key={key.id}>
              <span className="clip">{key.name}</span> <StateBadge tone={tone}>{text}</StateBadge>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
