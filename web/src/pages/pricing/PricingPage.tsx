import { Trans } from '@lingui/react/macro'
import { msg, t } from '@lingui/core/macro'
import { i18n } from '../../language/i18n.ts'
import './pricing.css'
import { useQuery } from '@tanstack/react-query'
import type { Pricing } from '@tapeline/contracts/config/http'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { pricingQuery, publicFlagsQuery } from '../../api/pricing.queries.ts'
import { FLAGS } from '../../session/features.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import type { Load } from './fit-plan.ts'
import { LoadRulers } from './LoadRulers.tsx'
import { PlanTable } from './PlanTable.tsx'
import { PLANS } from './plans.ts'
import { type BillingPeriod, discountPercent } from './price-of-plan.ts'
import { Questions } from './Questions.tsx'

const LOAD_AT_FIRST: Load = { perMinute: 64, perMonth: 72_000 }
const PERIODS = [
  { value: 'monthly', label: msg`Monthly` },
  { value: 'yearly', label: msg`Yearly` },
] as const

export function PricingPage() {
  const pricing = useQuery(pricingQuery)
  const flags = useQuery(publicFlagsQuery)
  const [period, setPeriod] = useState<BillingPeriod>('monthly')
  if (pricing.isPending || flags.isPending) return <PricingFrame body={<PlansLoading />} />
  if (pricing.data === undefined) {
    return (
      <PricingFrame
        body={
          <div className="site">
            <ErrorPanel
              title={t`Failed to load pricing information. Please try again later.`}
              requestId={pricing.error instanceof ApiError ? pricing.error.requestId : undefined}
              onRetry={() => void pricing.refetch()}
              isRetrying={pricing.isFetching}
            />
          </div>
        }
      />
    )
  }
  const hasToggle = flags.data?.featureFlags.includes(FLAGS.yearlyBilling) === true
  return (
    <PricingFrame
      toggle={hasToggle && <PeriodToggle pricing={pricing.data} period={period} onChoose={setPeriod} />}
      body={
        <>
          <Plans pricing={pricing.data} period={hasToggle ? period : 'monthly'} />
          <Questions />
        </>
      }
    />
  )
}

function PricingFrame({ toggle, body }: { toggle?: ReactNode; body: ReactNode }) {
  return (
    <div className="pricing">
      <div className="site top">
        <div>
          <h1>{t`Pick a plan by the load you send`}</h1>
          <p className="t16">
            {t`Start free. No credit card required. A 14-day free trial of the paid plans, cancel anytime.`}
          </p>
        </div>
        {toggle}
      </div>
      {body}
    </div>
  )
}

type PeriodToggleProps = { pricing: Pricing; period: BillingPeriod; onChoose: (period: BillingPeriod) => void }

function PeriodToggle({ pricing, period, onChoose }: PeriodToggleProps) {
  return (
    <div className="end">
      <Segmented
        label={t`Billing period`}
        options={PERIODS.map(({ value, label }) => ({ value, label: i18n._(label) }))}
        value={period}
        onChoose={onChoose}
      />
      <span className="t13 t2">
        <Trans>
          Yearly saves <span className="mono">{highestDiscount(pricing)}%</span>
        </Trans>
      </span>
    </div>
  )
}

function Plans({ pricing, period }: { pricing: Pricing; period: BillingPeriod }) {
  const [load, setLoad] = useState(LOAD_AT_FIRST)
  return (
    <>
      <LoadRulers pricing={pricing} load={load} onChange={setLoad} />
      <PlanTable pricing={pricing} period={period} load={load} />
    </>
  )
}

function PlansLoading() {
  return (
    <div className="site loading">
      <Skeleton label={t`Loading plans`}>
        {PLANS.map((tier) => (
          <div key={tier}>
            <Bone widthPx={96} heightPx={20} />
            <Bone widthPx={220} />
            <Bone widthPx={140} heightPx={44} />
            <Bone widthPx={280} heightPx={40} />
          </div>
        ))}
      </Skeleton>
    </div>
  )
}

function highestDiscount(pricing: Pricing): number {
  const paid = PLANS.map((tier) => pricing[tier].billing).filter(({ yearlyPrice }) => yearlyPrice > 0)
  return Math.max(...paid.map(discountPercent))
}
