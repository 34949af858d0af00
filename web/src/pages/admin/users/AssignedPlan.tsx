import { t } from '@lingui/core/macro'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { i18n } from '../../../language/i18n.ts'
import { formatCount } from '../../../format/number.ts'
import { useSettings } from '../../../settings/use-settings.ts'
import { Button } from '../../../ui/Button.tsx'
import { LIMIT_FIELDS } from '../limit-fields.ts'
import { tiersQuery } from '../tiers/tiers.queries.ts'
import { Fact } from './Fact.tsx'
import { PlanDialog } from './PlanDialog.tsx'
import { assignedPlanQuery } from './users.queries.ts'
import { planInWords } from './what-changes.ts'

/** The tier of an account, its trial, and the limits that apply to it. */
export function AssignedPlan({ userId, name }: { userId: string; name: string }) {
  const plan = useQuery(assignedPlanQuery(userId))
  const tiers = useQuery(tiersQuery)
  const { timezone } = useSettings()
  const [isDialogOpen, setDialogOpen] = useState(false)
  if (plan.data === undefined) {
    return (
      <Fact
        label={t`Plan`}
        action={
          plan.isError && (
            <Button size="small" variant="quiet" isBusy={plan.isFetching} onClick={() => void plan.refetch()}>
              {t`Try Again`}
            </Button>
          )
        }
      >
        <span className="muted">{plan.isError ? plan.error.message : t`loading`}</span>
      </Fact>
    )
  }
  const ofTier = tiers.data?.tiers[plan.data.tier].rateLimits
  return (
    <>
      <Fact
        label={t`Plan`}
        action={
          <Button
            size="small"
            variant="quiet"
            isDisabled={tiers.data === undefined}
            onClick={() => setDialogOpen(true)}
          >
            {t`Change plan`}
          </Button>
        }
      >
        {planInWords(plan.data, timezone)}
      </Fact>
      <Limits plan={plan.data} ofTier={ofTier} />
      {isDialogOpen && tiers.data !== undefined && (
        <PlanDialog
          name={name}
          userId={userId}
          subscription={plan.data}
          tiers={tiers.data.tiers}
          onClose={() => setDialogOpen(false)}
        />
      )}
    </>
  )
}

type LimitsProps = { plan: SubscriptionRecord; ofTier: SubscriptionRecord['rate_limits'] | undefined }

function Limits({ plan, ofTier }: LimitsProps) {
  const limits = plan.rate_limits ?? ofTier
  return (
    <Fact label={t`Limits`} isWide>
      <p className="small muted">{plan.rate_limits === null ? t`limits of the tier` : t`custom limits`}</p>
      <ul className="user-limits">
        {LIMIT_FIELDS.map(({ field, label }) => (
          <li key={field}>
            <span>{i18n._(label)}</span>{' '}
            <span className="mono">{limits == null ? '–' : formatCount(limits[field])}</span>
          </li>
        ))}
      </ul>
    </Fact>
  )
}
