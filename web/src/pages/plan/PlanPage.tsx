import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { Plan } from '@tapeline/contracts/config/plans'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { planQuery } from '../../api/plan.queries.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { ConfirmDialog } from '../api-keys/ConfirmDialog.tsx'
import { ChosenPlan } from './ChosenPlan.tsx'
import { ComparedPlans } from './ComparedPlans.tsx'
import { Forecast } from './forecast/Forecast.tsx'
import './plan.css'
import { cancelPlan } from './plan.queries.ts'
import { TIER_NAMES } from './tier-names.ts'
import { Statements } from './Statements.tsx'
import { Trials } from './Trials.tsx'
import { TrialWays } from './TrialWays.tsx'
import { UsedLimits } from './UsedLimits.tsx'

/** A trial ends automatically. */
const PLAN_REFETCH_MS = 30_000

/** The account's plan, its usage, and the available plans. */
export function PlanPage() {
  const plan = useQuery({ ...planQuery, refetchInterval: PLAN_REFETCH_MS })
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
          <Trans>{plan.error?.message} Your API requests are not affected.</Trans>
        </ErrorPanel>
      </section>
    )
  }
  return (
    <div className="plan">
      <Head plan={plan.data} />
      <ChosenPlan plan={plan.data} />
      <div className="plan-now">
        <UsedLimits plan={plan.data} />
        <Trials plan={plan.data} />
      </div>
      <Forecast tier={plan.data.tier} />
      <ComparedPlans tier={plan.data.tier} />
      <Statements />
    </div>
  )
}

function Head({ plan }: { plan: Plan }) {
  // The plan when the dialog was opened: if it has changed by the confirmation, nothing is cancelled and the change is reported.
  const [planToCancel, setPlanToCancel] = useState<Plan>()
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
              <span className="faint">·</span> {t`with custom limits`}
            </>
          )}
        </p>
        {plan.tier !== 'free' && trial === null && (
          <div className="actions">
            <Button onClick={() => setPlanToCancel(plan)}>{t`Cancel plan`}</Button>
          </div>
        )}
      </div>
      {trial !== null && <TrialWays trial={trial} onEnd={() => setPlanToCancel(plan)} />}
      {planToCancel !== undefined && <CancelDialog plan={planToCancel} onClose={() => setPlanToCancel(undefined)} />}
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
          text: t`Your account moves to the Free plan immediately. Keys, history and settings stay.`,
          action: t`Cancel plan`,
          keep: t`Keep plan`,
        }
      : {
          title: t`End the trial`,
          text: t`The ${TIER_NAMES[trial.tier]} trial ends immediately and cannot be started again.`,
          action: t`End trial`,
          keep: t`Keep trial`,
        }
  return (
    <ConfirmDialog
      {...words}
      impact={t`The limits of the ${after} plan apply from your next request. Keys beyond its number keep working.`}
      failure={t`The plan could not be cancelled. Please try again.`}
      done={t`Your account is on the ${after} plan`}
      onConfirm={() => cancelPlan(plan)}
      onClose={onClose}
    />
  )
}
