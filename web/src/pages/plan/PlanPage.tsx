import type { Plan } from '@tapeline/contracts/config/plans'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { formatDateTime } from '../../format/date.ts'
import { formatPlural } from '../../format/number.ts'
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
      <Skeleton label="Loading your plan">
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
          title="Your plan could not be loaded"
          requestId={plan.error instanceof ApiError ? plan.error.requestId : undefined}
          onRetry={() => void plan.refetch()}
          isRetrying={plan.isFetching}
        >
          {plan.error?.message} Your requests go on as before.
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
  const [isCancelling, setCancelling] = useState(false)
  const { trial } = plan
  return (
    <div>
      <div className="pagebar">
        <p>
          <b>{plan.name}</b> plan
          {trial !== null && ', on trial'}
          {plan.has_own_limits && (
            <>
              {' '}
              <span className="t3">·</span> with limits of your own
            </>
          )}
        </p>
        {plan.tier !== 'free' && (
          <div className="actions">
            <Button onClick={() => setCancelling(true)}>{trial === null ? 'Cancel Plan' : 'Cancel Trial'}</Button>
          </div>
        )}
      </div>
      {trial !== null && (
        <p className="banner warn">
          <span>
            The trial of {TIER_NAMES[trial.tier]} has {formatPlural(trial.days_left, 'day', 'days')} left, until{' '}
            {formatDateTime(trial.ends_at)} UTC. Then you have {TIER_NAMES[trial.tier_after]}; nothing is charged.
          </span>
        </p>
      )}
      {isCancelling && <CancelDialog plan={plan} onClose={() => setCancelling(false)} />}
    </div>
  )
}

function CancelDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { name, trial } = plan
  const after = TIER_NAMES[trial?.tier_after ?? 'free']
  const words =
    trial === null
      ? {
          title: `Cancel ${name}`,
          text: 'Your account has the Free plan with the next request. Keys, history and settings stay.',
          action: 'Cancel Plan',
        }
      : {
          title: 'Cancel the trial',
          text: `The trial of ${TIER_NAMES[trial.tier]} ends at once and can not be had again.`,
          action: 'Cancel Trial',
        }
  return (
    <ConfirmDialog
      {...words}
      impact={`The limits of ${after} hold for your next request.`}
      failure="The plan could not be cancelled. Please try again."
      done={`You have ${after} now`}
      onConfirm={() => cancelPlan(plan)}
      onClose={onClose}
    />
  )
}
