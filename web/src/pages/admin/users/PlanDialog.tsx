import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { TIERS } from '@tapeline/contracts/actor'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { useId } from 'react'
import { i18n } from '../../../language/i18n.ts'
import { useSettings } from '../../../settings/use-settings.ts'
import { Button } from '../../../ui/Button.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field, FieldError } from '../../../ui/Field.tsx'
import { Input, Select } from '../../../ui/Input.tsx'
import { ConflictDialog } from '../ConflictDialog.tsx'
import { diffValues } from '../diff-values.ts'
import { LIMIT_FIELDS } from '../limit-fields.ts'
import { WhyField } from '../WhyField.tsx'
import { usePlanForm } from './use-plan-form.ts'
import { planInWords } from './what-changes.ts'

type PlanDialogProps = {
  userId: string
  name: string
  subscription: SubscriptionRecord
  tiers: TierConfig
  onClose: () => void
}

/** Assigns another tier to an account, or account-specific limits instead of the tier's. */
export function PlanDialog({ userId, name, subscription, tiers, onClose }: PlanDialogProps) {
  const formId = useId()
  const { rateLimits } = tiers[subscription.tier]
  const fields = usePlanForm({ userId, name, subscription, ofTier: rateLimits, onClose })
  const { form, change, errors, isBusy } = fields
  return (
    <Dialog
      title={t`Change the plan of ${name}`}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" type="submit" form={formId} isBusy={isBusy} isDisabled={!fields.isChanged}>
            {t`Save plan`}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t`Cancel`}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack wide" onSubmit={fields.submit} noValidate>
        <TierField fields={fields} subscription={subscription} tiers={tiers} />
        <Checkbox
          checked={form.hasOwnLimits}
          onChange={({ currentTarget }) => change({ hasOwnLimits: currentTarget.checked })}
        >
          {t`Custom limits, instead of those of the tier`}
        </Checkbox>
        {form.hasOwnLimits && <OwnLimits fields={fields} />}
        <WhyField hint={t`Kept in the audit trail.`} value={form.reason} onType={(reason) => change({ reason })} />
        <Effects isTrialEnded={subscription.trial_ends_at !== null && form.tier !== ''} />
        <div className="slot" role="alert">
          {errors['form'] !== undefined && <FieldError>{errors['form']}</FieldError>}
        </div>
      </form>
      {fields.conflict !== undefined && (
        <ConflictDialog
          name={t`The plan of ${name}`}
          conflict={fields.conflict.error}
          changes={diffValues(fields.base, fields.conflict.theirs)}
          onTakeTheirs={onClose}
          onKeepMine={fields.overwrite}
        />
      )}
    </Dialog>
  )
}

function OwnLimits({ fields: { form, change, errors } }: { fields: ReturnType<typeof usePlanForm> }) {
  return (
    <div className="two-fields">
      {LIMIT_FIELDS.map(({ field, label }) => (
        <Field key={field} label={i18n._(label)} error={errors[field]}>
          {(control) => (
            <Input
              {...control}
              name={field}
              inputMode="numeric"
              autoComplete="off"
              className="mono"
              value={form.limits[field]}
              onChange={({ currentTarget: { value } }) => change({ limits: { ...form.limits, [field]: value } })}
            />
          )}
        </Field>
      ))}
    </div>
  )
}

type TierFieldProps = Pick<PlanDialogProps, 'subscription' | 'tiers'> & { fields: ReturnType<typeof usePlanForm> }

/** The tier of a trial can be assigned permanently; otherwise the current tier is not a change. */
function TierField({ fields: { form, change }, subscription, tiers }: TierFieldProps) {
  const { timezone } = useSettings()
  const offered = TIERS.filter((tier) => tier !== subscription.tier || subscription.trial_ends_at !== null)
  return (
    <Field label={t`Tier`}>
      {(control) => (
        <Select
          {...control}
          value={form.tier}
          onChange={({ currentTarget: { value } }) => change({ tier: offered.find((tier) => tier === value) ?? '' })}
        >
          <option value="">
            <Trans>Current plan: {planInWords(subscription, timezone)}</Trans>
          </option>
          {offered.map((tier) => (
            <option key={tier} value={tier}>
              {tiers[tier].display.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function Effects({ isTrialEnded }: { isTrialEnded: boolean }) {
  return (
    <ul className="effects" aria-live="polite">
      <li>{t`It applies to the next request at every gateway, for all keys of the account.`}</li>
      <li>{t`Usage counters are kept: requests so far count against the new limits.`}</li>
      {isTrialEnded && <li>{t`The trial ends: the tier is assigned without an end date.`}</li>}
    </ul>
  )
}
