import { t } from '@lingui/core/macro'
import type { CustomReport, SaveReport } from '@tapeline/contracts/audit/reports'
import { i18n } from '../../language/i18n.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input, Select } from '../../ui/Input.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { ROUTES } from '../metrics/metrics-filter.ts'
import { KeySelect } from './KeySelect.tsx'
import { BREAKDOWNS, FORMATS, STATUSES, WEEKDAYS } from './report-words.ts'
import { bodyOfReport, saveReport } from './reports.queries.ts'
import { useSaveForm } from './use-save-form.ts'

const FORM_ID = 'report'
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
  /** Is changed; without it a new report is made. */
  report?: CustomReport | undefined
  /** The view of the metrics that a new report begins with. */
  view?: Partial<SaveReport>
  onClose: () => void
}

export function ReportDialog({ report, view = {}, onClose }: ReportDialogProps) {
  const { form, change, errors, isBusy, submit } = useSaveForm<SaveReport>({
    initial: report === undefined ? { ...WEEKLY, ...view } : bodyOfReport(report),
    save: (body) => saveReport(report?.id, { ...body, name: body.name.trim() }),
    missing: ({ name }) => (name.trim() === '' ? { name: t`Give the report a name` } : ({} as Record<string, string>)),
    failed: t`Failed to save the report. Please try again.`,
    onDone: onClose,
  })
  return (
    <Dialog
      title={report === undefined ? t`Create a report` : t`Edit ${report.name}`}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" type="submit" form={FORM_ID} isBusy={isBusy}>
            {report === undefined ? t`Create report` : t`Save`}
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
        <KeySelect
          value={form.api_key_id}
          all={t`All keys`}
          error={errors['api_key_id']}
          onChange={(api_key_id) => change({ api_key_id })}
        />
        <View form={form} change={change} />
        <When form={form} change={change} />
        <div className="slot" role="alert">
          {errors['form'] !== undefined && <FieldError>{errors['form']}</FieldError>}
        </div>
      </form>
    </Dialog>
  )
}

type PartProps = { form: SaveReport; change: (changed: Partial<SaveReport>) => void }

/** What the lines of the file are, and which requests they count. */
function View({ form, change }: PartProps) {
  return (
    <div className="report-fields">
      <Field label={t`Lines`}>
        {(control) => (
          <Select
            {...control}
            value={form.breakdown}
            onChange={({ currentTarget: { value } }) =>
              change({ breakdown: BREAKDOWNS.find((one) => one.value === value)?.value ?? 'day' })
            }
          >
            {BREAKDOWNS.map(({ value, label }) => (
              <option key={value} value={value}>
                {i18n._(label)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t`Requests`}>
        {(control) => (
          <Select
            {...control}
            value={form.status ?? ''}
            onChange={({ currentTarget: { value } }) =>
              change({ status: STATUSES.find((one) => one.value === value)?.value || null })
            }
          >
            {STATUSES.map(({ value, label }) => (
              <option key={value} value={value}>
                {i18n._(label)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t`Endpoint`}>
        {(control) => (
          <Select
            {...control}
            value={form.route ?? ''}
            onChange={({ currentTarget: { value } }) => change({ route: value === '' ? null : value })}
          >
            {ROUTES.map(({ value, label }) => (
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

/** Format, weekday and hour. */
function When({ form, change }: PartProps) {
  const { timezone } = useSettings()
  return (
    <div className="report-fields">
      <Field label={t`Weekday`}>
        {(control) => (
          <Select
            {...control}
            value={form.weekday}
            onChange={({ currentTarget }) => change({ weekday: Number(currentTarget.value) })}
          >
            {WEEKDAYS.map((label, n) => (
              <option key={n} value={n + 1}>
                {i18n._(label)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t`Hour`} hint={timezone}>
        {(control) => (
          <Select
            {...control}
            value={form.hour}
            onChange={({ currentTarget }) => change({ hour: Number(currentTarget.value) })}
          >
            {Array.from({ length: HOURS }, (_, hour) => (
              <option key={hour} value={hour}>{`${String(hour).padStart(2, '0')}:00`}</option>
            ))}
          </Select>
        )}
      </Field>
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
