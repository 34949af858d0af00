import { Plural, Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { Plan } from '@tapeline/contracts/config/plans'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { formatDateTime } from '../../format/date.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { ConfirmDialog } from '../api-keys/ConfirmDialog.tsx'
import { ComparedPlans } from './ComparedPlans.tsx'
import './plan.css'
import { cancelPlan, planQuery } from './plan.queries.ts'
import { TIER_NAMES } from './tier-names.ts'
import { Trials } from './Trials.tsx'
import { UsedLimits } from './UsedLimits.tsx'

/** What the account has, how much of it is used, and what it could have. */
export function PlanPage() {
  const plan = useQuery(planQuery)
  if (plan.isPending) {
    return (
      <Skeleton label={t`Loading your plan`}>
        <section className="panel panel-body plan-bones">
          {[0, 1, 2].map((row) => (
            <Bone key={row} widthPx={320} />
          ))}
        </section>
      </Skeleton>
    )
  }
  if (plan.data === undefined) {
    return (
      <section className="panel plan-first">
        <ErrorPanel
          title={t`Your plan could not be loaded`}
          requestId={plan.error instanceof ApiError ? plan.error.requestId : undefined}
          onRetry={() => void plan.refetch()}
          isRetrying={plan.isFetching}
        >
          <Trans>{plan.error?.message} Your requests go on as before.</Trans>
        </ErrorPanel>
      </section>
    )
  }
  return (
    <div className="plan">
      <Head plan={plan.data} />
      <UsedLimits plan={plan.data} />
      <Trials plan={plan.data} />
      <ComparedPlans tier={plan.data.tier} />
    </div>
  )
}

function Head({ plan }: { plan: Plan }) {
  // As it was when it was asked about: what changes meanwhile is told, not cancelled.
  const [asked, setAsked] = useState<Plan>()
  const { trial } = plan
  return (
    <div>
      <div className="pagebar">
        <p>
          <Trans>
            <b>{plan.name}</b> plan
          </Trans>
          {trial !== null && `, ${t`on trial`}`}
          {plan.has_own_limits && (
            <>
              {' '}
              <span className="t3">·</span> {t`with limits of your own`}
            </>
          )}
        </p>
        {plan.tier !== 'free' && (
          <div className="actions">
            <Button onClick={() => setAsked(plan)}>{trial === null ? t`Cancel Plan` : t`Cancel Trial`}</Button>
          </div>
        )}
      </div>
      {trial !== null && (
        <p className="banner warn">
          <span>
            <Plural
              value={trial.days_left}
              one={`The trial of ${TIER_NAMES[trial.tier]} has # day left, until ${formatDateTime(trial.ends_at)} UTC.`}
              other={`The trial of ${TIER_NAMES[trial.tier]} has # days left, until ${formatDateTime(trial.ends_at)} UTC.`}
            />{' '}
            {t`Then you have ${TIER_NAMES[trial.tier_after]}; nothing is charged.`}
          </span>
        </p>
      )}
      {asked !== undefined && <CancelDialog plan={asked} onClose={() => setAsked(undefined)} />}
    </div>
  )
}

function CancelDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { name, trial } = plan
  const after = TIER_NAMES[trial?.tier_after ?? 'free']
  const words =
    trial === null
      ? {
          title: t`Cancel ${name}`,
          text: t`Your account has the Free plan with the next request. Keys, history and settings stay.`,
          action: t`Cancel Plan`,
        }
      : {
          title: t`Cancel the trial`,
          text: t`The trial of ${TIER_NAMES[trial.tier]} ends at once and can not be had again.`,
          action: t`Cancel Trial`,
        }
  return (
    <ConfirmDialog
      {...words}
      impact={t`The limits of ${after} hold for your next request.`}
      failure={t`The plan could not be cancelled. Please try again.`}
      done={t`You have ${after} now`}
      onConfirm={() => cancelPlan(plan)}
      onClose={onClose}
    />
  )
}
