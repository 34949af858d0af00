import { t } from '@lingui/core/macro'
import type { SaveAlert, UsageAlert } from '@tapeline/contracts/audit/alerts'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input, Select } from '../../ui/Input.tsx'
import { KeySelect } from './KeySelect.tsx'
import { CHANNELS, WINDOWS } from './report-words.ts'
import { bodyOfAlert, saveAlert } from './reports.queries.ts'
import { useSaveForm } from './use-save-form.ts'

const FORM_ID = 'alert'
const NAME_LENGTH_MAX = 80
const NEW: SaveAlert = {
  name: '',
  api_key_id: null,
  policy: 'month',
  percent: 50,
  channels: ['email'],
  active: true,
}

/** `alert` is changed; without it a new one is made. */
type AlertDialogProps = { alert?: UsageAlert | undefined; onClose: () => void }

export function AlertDialog({ alert, onClose }: AlertDialogProps) {
  const { form, change, errors, isBusy, submit } = useSaveForm<SaveAlert>({
    initial: alert === undefined ? NEW : bodyOfAlert(alert),
    save: (body) => saveAlert(alert?.id, { ...body, name: body.name.trim() }),
    missing: ({ name, percent }) => ({
      ...(name.trim() === '' ? { name: t`Give the alert a name` } : {}),
      ...(percent >= 1 && percent <= 100 ? {} : { percent: t`Enter a number from 1 to 100` }),
    }),
    failed: t`Failed to save the alert. Please try again.`,
    onDone: onClose,
  })
  return (
    <Dialog
      title={alert === undefined ? t`Create an alert` : t`Edit ${alert.name}`}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" type="submit" form={FORM_ID} isBusy={isBusy}>
            {alert === undefined ? t`Create alert` : t`Save`}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t`Cancel`}
          </Button>
        </>
      }
    >
      <form id={FORM_ID} className="stack wide" onSubmit={submit} noValidate>
        <Field label={t`Name`} error={errors['name']}>
          {(control) => (
            <Input
              {...control}
              name="name"
              autoComplete="off"
              maxLength={NAME_LENGTH_MAX}
              value={form.name}
              onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            />
          )}
        </Field>
        <Level form={form} change={change} error={errors['percent']} />
        <KeySelect
          value={form.api_key_id}
          all={t`The whole account`}
          error={errors['api_key_id']}
          onChange={(api_key_id) => change({ api_key_id })}
        />
        <Channels form={form} change={change} />
        <div className="slot" role="alert">
          {errors['form'] !== undefined && <FieldError>{errors['form']}</FieldError>}
        </div>
      </form>
    </Dialog>
  )
}

type PartProps = { form: SaveAlert; change: (changed: Partial<SaveAlert>) => void }

/** Share and window. */
function Level({ form, change, error }: PartProps & { error: string | undefined }) {
  return (
    <div className="report-fields">
      <Field label={t`Percent`} error={error}>
        {(control) => (
          <Input
            {...control}
            name="percent"
            type="number"
            inputMode="numeric"
            className="mono"
            min={1}
            max={100}
            value={Number.isNaN(form.percent) ? '' : form.percent}
            onChange={({ currentTarget }) => change({ percent: Math.round(currentTarget.valueAsNumber) })}
          />
        )}
      </Field>
      <Field label={t`of the limit of`}>
        {(control) => (
          <Select
            {...control}
            name="policy"
            value={form.policy}
            onChange={({ currentTarget: { value } }) =>
              change({ policy: WINDOWS.find((one) => one.value === value)?.value ?? 'month' })
            }
          >
            {WINDOWS.map(({ value, label }) => (
              <option key={value} value={value}>
                {i18n._(label)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  )
}

function Channels({ form: { channels }, change }: PartProps) {
  return (
    <fieldset className="channels">
      <legend className="label">{t`Besides the notification here`}</legend>
      {CHANNELS.map(({ value, label }) => (
        <Checkbox
          key={value}
          name="channels"
          checked={channels.includes(value)}
          onChange={({ currentTarget }) =>
            change({ channels: currentTarget.checked ? [...channels, value] : channels.filter((one) => one !== value) })
          }
        >
          {i18n._(label)}
        </Checkbox>
      ))}
      <p className="hint">
        {t`Email and push follow your notification settings. A webhook endpoint must subscribe to usage.alert.`}
      </p>
    </fieldset>
  )
}
