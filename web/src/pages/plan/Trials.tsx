import type { PaidTier, Plan, TrialOffer } from '@tapeline/contracts/config/plans'
import { useState } from 'react'
import { useUser } from '../../session/use-session.ts'
import { Button } from '../../ui/Button.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { ConfirmDialog } from '../api-keys/ConfirmDialog.tsx'
import { startTrial } from './plan.queries.ts'
import { TIER_NAMES } from './tier-names.ts'

const STATES = {
  available: 'not tried yet',
  running: 'running',
  used: 'you had it',
  included: 'part of your plan',
  not_offered: 'not offered',
} as const

/** What could be tried: once per plan, no card. */
export function Trials({ plan }: { plan: Plan }) {
  const user = useUser()
  const [asked, setAsked] = useState<PaidTier>()
  const offer = plan.trials.find(({ tier }) => tier === asked)
  const reason = reasonAgainst(plan, user.emailVerified)
  return (
    <section className="panel" aria-labelledby="trials">
      <div className="panel-head">
        <h2 id="trials">Trials</h2>
        <span className="t13 t2">once per plan, no credit card</span>
      </div>
      <ul className="trials">
        {plan.trials.map((one) => (
          <Offer key={one.tier} offer={one} reason={reason} onStart={() => setAsked(one.tier)} />
        ))}
      </ul>
      {reason !== undefined && (
        <p className="panel-foot" id="no-trial">
          {reason}
        </p>
      )}
      {offer !== undefined && (
        <ConfirmDialog
          title={`Try ${TIER_NAMES[offer.tier]} for ${offer.days} days`}
          text={`The limits and features of ${TIER_NAMES[offer.tier]} hold for your next request. No credit card, nothing is charged.`}
          impact={`After ${offer.days} days you have ${plan.name} again. Each plan can be tried once.`}
          action="Start Trial"
          variant="primary"
          failure="The trial could not be started. Please try again."
          done={`Your trial of ${TIER_NAMES[offer.tier]} has begun`}
          onConfirm={() => startTrial(offer.tier)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

function reasonAgainst({ trial, trials }: Plan, isVerified: boolean): string | undefined {
  if (!trials.some(({ state }) => state === 'available')) return undefined
  if (!isVerified) return 'Verify your e-mail address first, then start the trial.'
  return trial === null ? undefined : 'One trial at a time: cancel the one that runs first.'
}

type OfferProps = { offer: TrialOffer; reason: string | undefined; onStart: () => void }

function Offer({ offer: { tier, days, state }, reason, onStart }: OfferProps) {
  return (
    <li>
      <b className="med">{TIER_NAMES[tier]}</b>
      <span className="t2">{days} days</span>
      <StateBadge tone={state === 'running' ? 'live' : 'off'}>{STATES[state]}</StateBadge>
      {state === 'available' && (
        <Button
          className="end"
          isDisabled={reason !== undefined}
          aria-describedby={reason === undefined ? undefined : 'no-trial'}
          onClick={onStart}
        >
          Start {days}-day trial
        </Button>
      )}
    </li>
  )
}
