import { t } from '@lingui/core/macro'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { focusField } from '../../focus-field.ts'
import { LIMIT_FIELDS } from '../limit-fields.ts'
import { showDone } from '../show-done.ts'
import { planBody, type PlanForm, planFormOf } from './plan-form.ts'
import { refetchAssignedPlan, setPlan } from './users.queries.ts'

type PlanOf = {
  userId: string
  name: string
  subscription: SubscriptionRecord
  ofTier: RateLimits
  onClose: () => void
}

type Conflict = { error: ApiError; theirs: SubscriptionRecord }

/** Form for the tier and account-specific limits; server errors are shown at their fields. */
export function usePlanForm({ userId, name, subscription, ofTier, onClose }: PlanOf) {
  /** Values when the dialog opened: only fields that differ from them are sent. */
  const [base] = useState(subscription)
  const [form, setForm] = useState<PlanForm>(() => planFormOf(subscription, ofTier))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<Conflict>()
  const body = planBody(form, base)

  async function save(element: HTMLFormElement | null, version = base.version): Promise<void> {
    setBusy(true)
    setConflict(undefined)
    try {
      const saved = await setPlan(userId, { ...body, version })
      const within = saved.effective_within_seconds
      showDone(t`The plan of ${name} is saved${within === undefined ? '' : t`, and applies within ${within} s`}`)
      onClose()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'subscription.changed_meanwhile') {
        await showConflict(error)
        return
      }
      const found = errorsOf(error)
      setErrors(found)
      const [first] = Object.keys(found)
      if (first !== undefined && element !== null) focusField(element, first)
    } finally {
      setBusy(false)
    }
  }

  async function showConflict(error: ApiError): Promise<void> {
    try {
      setConflict({ error, theirs: await refetchAssignedPlan(userId) })
    } catch (cause) {
      setErrors(errorsOf(cause))
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (!isBusy && body !== undefined) void save(event.currentTarget)
  }

  function change(changed: Partial<PlanForm>): void {
    setForm({ ...form, ...changed })
    setErrors({})
  }

  /** Saves over the displayed version, not over a newer one. */
  const overwrite = async (): Promise<void> => save(null, conflict?.theirs.version)
  return { base, form, change, errors, isBusy, isChanged: body !== undefined, submit, conflict, overwrite }
}

function errorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) {
    return { form: t`The plan could not be saved. Please try again.` }
  }
  const ofFields = LIMIT_FIELDS.flatMap(({ field }) => {
    const message = error.messageFor(`rateLimits/${field}`)
    return message === undefined ? [] : [[field, message]]
  })
  return ofFields.length > 0 ? Object.fromEntries(ofFields) : { form: error.message }
}
