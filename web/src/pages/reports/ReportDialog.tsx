import { t } from '@lingui/core/macro'
import type { CustomReport, SaveReport } from '@tapeline/contracts/audit/reports'
import { i18n } from '../../language/i18n.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Segmented } from '../../ui/Segmented.tsx'
import { SelectField, TextField } from '../forms/fields.tsx'
import { FormDialog } from '../forms/FormDialog.tsx'
import { useSaveForm } from '../forms/use-save-form.ts'
import { ROUTES } from '../metrics/metrics-filter.ts'
import { KeySelect } from './KeySelect.tsx'
import { BREAKDOWNS, FORMATS, STATUSES, WEEKDAYS } from './report-words.ts'
import { bodyOfReport, saveReport } from './reports.queries.ts'

const NAME_LENGTH_MAX = 80
const HOURS = 24
const WEEKLY: SaveReport = {
  name: '',
  api_key_id: null,
  status: null,
  route: null,
  breakdown: 'day',
  format: 'csv',
  weekday: 1,
  hour: 8,
  active: true,
}

type ReportDialogProps = {
  /** The report to edit; without it a new one is created. */
  report?: CustomReport | undefined
  /** The view of the metrics that a new report begins with. */
  view?: Partial<SaveReport>
  onClose: () => void
}

export function ReportDialog({ report, view = {}, onClose }: ReportDialogProps) {
  const { form, change, errors, isBusy, submit } = useSaveForm<SaveReport>({
    initial: report === undefined ? { ...WEEKLY, ...view } : bodyOfReport(report),
    check: ({ name }) => (name.trim() === '' ? { name: t`Give the report a name` } : {}),
    save: async (body) => {
      await saveReport(report?.id, { ...body, name: body.name.trim() })
      onClose()
    },
    failed: t`Failed to save the report. Please try again.`,
  })
  return (
    <FormDialog
      title={report === undefined ? t`Create a report` : t`Edit ${report.name}`}
      action={report === undefined ? t`Create report` : t`Save`}
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
      <KeySelect
        value={form.api_key_id}
        all={t`All keys`}
        error={errors.api_key_id}
        onChange={(api_key_id) => change({ api_key_id })}
      />
      <View form={form} change={change} />
      <When form={form} change={change} />
    </FormDialog>
  )
}

type PartProps = { form: SaveReport; change: (changed: Partial<SaveReport>) => void }

/** What the lines of the file are, and which requests they count. */
function View({ form, change }: PartProps) {
  return (
    <div className="report-fields">
      <SelectField
        label={t`Lines`}
        name="breakdown"
        value={form.breakdown ?? 'day'}
        options={BREAKDOWNS.map(({ value, label }) => ({ value, label: i18n._(label) }))}
        onChoose={(breakdown) => change({ breakdown })}
      />
      <SelectField
        label={t`Requests`}
        name="status"
        value={form.status ?? ''}
        options={STATUSES.map(({ value, label }) => ({ value, label: i18n._(label) }))}
        onChoose={(status) => change({ status: status === '' ? null : status })}
      />
      <SelectField
        label={t`Endpoint`}
        name="route"
        value={form.route ?? ''}
        options={ROUTES.map(({ value, label }) => ({ value, label: i18n._(label) }))}
        onChoose={(route) => change({ route: route === '' ? null : route })}
      />
    </div>
  )
}

/** Format, weekday and hour. */
function When({ form, change }: PartProps) {
  const { timezone } = useSettings()
  return (
    <div className="report-fields">
      <SelectField
        label={t`Weekday`}
        name="weekday"
        value={String(form.weekday)}
        options={WEEKDAYS.map((label, n) => ({ value: String(n + 1), label: i18n._(label) }))}
        onChoose={(weekday) => change({ weekday: Number(weekday) })}
      />
      <SelectField
        label={t`Hour`}
        hint={timezone}
        name="hour"
        value={String(form.hour)}
        options={Array.from({ length: HOURS }, (_, hour) => ({
          value: String(hour),
          label: `${String(hour).padStart(2, '0')}:00`,
        }))}
        onChoose={(hour) => change({ hour: Number(hour) })}
      />
      <div className="field">
        <span className="label">{t`Format`}</span>
        <Segmented
          label={t`Format`}
          options={FORMATS}
          value={form.format ?? 'csv'}
          onChoose={(format) => change({ format })}
        />
      </div>
    </div>
  )
}
