import { Plural, Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { Role } from '@tapeline/contracts/actor'
import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../../format/number.ts'
import { roleName } from '../../../session/role-names.ts'
import { Button } from '../../../ui/Button.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field, FieldError } from '../../../ui/Field.tsx'
import { Input, Select } from '../../../ui/Input.tsx'
import { ConflictDialog } from '../ConflictDialog.tsx'
import { type FlagForm, percentOf } from './flag-form.ts'
import { assignableRoles } from './flag-groups.ts'
import { reachQuery } from './flags.queries.ts'
import { useFlagForm } from './use-flag-form.ts'

const FORM_ID = 'flag'
const KEY_LENGTH_MAX = 100
const TEXT_LENGTH_MAX = 300

/** Creates or edits a flag. Its key and role are set only when it is created. */
export function FlagDialog({ reader, flag, onClose }: { reader: Role; flag?: AdminFlag; onClose: () => void }) {
  const fields = useFlagForm(flag, onClose)
  const { element, errors, isBusy, submit, conflict, overwrite } = fields
  return (
    <Dialog
      title={flag === undefined ? t`Create a feature flag` : t`Edit ${flag.flag_key}`}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" type="submit" form={FORM_ID} isBusy={isBusy}>
            {flag === undefined ? t`Create flag` : t`Save`}
          </Button>
          <Button onClick={onClose}>{t`Cancel`}</Button>
        </>
      }
    >
      <form id={FORM_ID} ref={element} className="stack wide" onSubmit={submit} noValidate>
        {flag === undefined && <CreationFields reader={reader} fields={fields} />}
        <RuleFields fields={fields} />
        <div className="slot" role="alert">
          {errors.form !== undefined && <FieldError>{errors.form}</FieldError>}
        </div>
      </form>
      {conflict !== undefined && flag !== undefined && (
        <ConflictDialog
          name={flag.flag_key}
          conflict={conflict.error}
          changes={conflict.changes}
          onTakeTheirs={onClose}
          onKeepMine={overwrite}
        />
      )}
    </Dialog>
  )
}

type Fields = ReturnType<typeof useFlagForm>

/** Fields that cannot be changed after creation. */
function CreationFields({ reader, fields: { form, change, errors, text } }: { reader: Role; fields: Fields }) {
  return (
    <>
      <Field label={t`Flag key`} error={errors.flag_key} hint={t`Lowercase snake_case, such as request_replay`}>
        {(control) => (
          <Input {...control} {...text('flag_key')} className="mono" autoFocus maxLength={KEY_LENGTH_MAX} />
        )}
      </Field>
      <Field label={t`Role`} error={errors.role} hint={t`The flag is on for everyone with this role or a higher one.`}>
        {(control) => (
          <Select
            {...control}
            name="role"
            value={form.role}
            onChange={(event) =>
              change({ role: assignableRoles(reader).find((role) => role === event.currentTarget.value) ?? 'user' })
            }
          >
            {assignableRoles(reader).map((role) => (
              <option key={role} value={role}>
                {roleName(role)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  )
}

/** Schedule and roles of the flag. */
function RuleFields({ fields: { form, change, errors, text } }: { fields: Fields }) {
  return (
    <>
      <Field label={t`Description`} isOptional error={errors.description}>
        {(control) => <Input {...control} {...text('description')} maxLength={500} />}
      </Field>
      <Field label={t`Share of accounts in percent`} error={errors.rollout_percent} hint={<Reach form={form} />}>
        {(control) => (
          <Input {...control} {...text('rollout_percent')} type="number" min={0} max={100} className="mono" />
        )}
      </Field>
      <div className="two-fields">
        <Field label={t`On from (UTC)`} isOptional error={errors.enabled_from}>
          {(control) => <Input {...control} {...text('enabled_from')} type="datetime-local" className="mono" />}
        </Field>
        <Field label={t`Off again at (UTC)`} isOptional error={errors.enabled_until}>
          {(control) => <Input {...control} {...text('enabled_until')} type="datetime-local" className="mono" />}
        </Field>
      </div>
      <Checkbox checked={form.enabled} onChange={(event) => change({ enabled: event.currentTarget.checked })}>
        {t`On`}
      </Checkbox>
      <Checkbox checked={form.is_public} onChange={(event) => change({ is_public: event.currentTarget.checked })}>
        {t`Also for visitors who are not signed in`}
      </Checkbox>
      <Field label={t`Why`} isOptional error={errors.reason} hint={t`Kept in the history.`}>
        {(control) => <Input {...control} {...text('reason')} maxLength={TEXT_LENGTH_MAX} />}
      </Field>
    </>
  )
}

function Reach({ form: { flag_key, role, rollout_percent } }: { form: FlagForm }) {
  const percent = percentOf(rollout_percent)
  const key = flag_key.trim()
  const reach = useQuery({
    ...reachQuery({ flag_key: key, role, rollout_percent: percent ?? 0 }),
    enabled: key !== '' && percent !== undefined,
  })
  if (reach.data === undefined) return <>{t`Always the same accounts.`}</>
  return (
    <>
      <Trans>
        Applies to {formatCount(reach.data.accounts)} of {formatCount(reach.data.of)}{' '}
        <Plural value={reach.data.of} one="account" other="accounts" />, always the same ones.
      </Trans>
    </>
  )
}
