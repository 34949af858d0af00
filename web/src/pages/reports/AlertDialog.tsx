import { t } from '@lingui/core/macro'
import type { SaveAlert, UsageAlert } from '@tapeline/contracts/audit/alerts'
import { i18n } from '../../language/i18n.ts'
import { Checkboxes, SelectField, TextField } from '../forms/fields.tsx'
import { FormDialog } from '../forms/FormDialog.tsx'
import { type FormErrors, useSaveForm } from '../forms/use-save-form.ts'
import { KeySelect } from './KeySelect.tsx'
import { CHANNELS, WINDOWS } from './report-words.ts'
import { bodyOfAlert, saveAlert } from './reports.queries.ts'

const NAME_LENGTH_MAX = 80
const NEW: SaveAlert = {
  name: '',
  api_key_id: null,
  policy: 'month',
  percent: 50,
  channels: ['email'],
  active: true,
}

/** Edits `alert`; without it a new one is created. */
type AlertDialogProps = { alert?: UsageAlert | undefined; onClose: () => void }

export function AlertDialog({ alert, onClose }: AlertDialogProps) {
  const { form, change, errors, isBusy, submit } = useSaveForm<SaveAlert>({
    initial: alert === undefined ? NEW : bodyOfAlert(alert),
    check: ({ name, percent }) => ({
      ...(name.trim() === '' ? { name: t`Give the alert a name` } : {}),
      ...(percent >= 1 && percent <= 100 ? {} : { percent: t`Enter a number from 1 to 100` }),
    }),
    save: async (body) => {
      await saveAlert(alert?.id, { ...body, name: body.name.trim() })
      onClose()
    },
    failed: t`Failed to save the alert. Please try again.`,
  })
  return (
    <FormDialog
      title={alert === undefined ? t`Create an alert` : t`Edit ${alert.name}`}
      action={alert === undefined ? t`Create alert` : t`Save`}
      isBusy={isBusy}
      error={errors.form}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t`Name`}
        error={errors.name}
        name="name"
        maxLength={NAME_LENGTH_MAX}
        value={form.name}
        onType={(name) => change({ name })}
      />
      <Level form={form} errors={errors} change={change} />
      <KeySelect
        value={form.api_key_id}
        all={t`The whole account`}
        error={errors.api_key_id}
        onChange={(api_key_id) => change({ api_key_id })}
      />
      <Checkboxes
        legend={t`Also send by`}
        className="channels"
        name="channels"
        options={CHANNELS.map(({ value, label }) => ({ value, label: i18n._(label) }))}
        chosen={form.channels}
        error={errors.channels}
        hint={t`Email and push follow your notification settings. A webhook endpoint must subscribe to usage.alert.`}
        onChange={(channels) => change({ channels })}
      />
    </FormDialog>
  )
}

type LevelProps = { form: SaveAlert; errors: FormErrors<SaveAlert>; change: (changed: Partial<SaveAlert>) => void }

/** Share and window. */
function Level({ form, errors, change }: LevelProps) {
  return (
    <div className="report-fields">
      <TextField
        label={t`Threshold (% of the limit)`}
        error={errors.percent}
        name="percent"
        type="number"
        inputMode="numeric"
        className="mono"
        min={1}
        max={100}
        value={Number.isNaN(form.percent) ? '' : form.percent}
        onType={(text) => change({ percent: text === '' ? Number.NaN : Math.round(Number(text)) })}
      />
      <SelectField
        label={t`Limit`}
        name="policy"
        value={form.policy}
        options={WINDOWS.map(({ value, label }) => ({ value, label: i18n._(label) }))}
        onChoose={(policy) => change({ policy })}
      />
    </div>
  )
}
