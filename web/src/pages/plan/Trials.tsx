import { Trans } from '@lingui/react/macro'
import { msg, plural, t } from '@lingui/core/macro'
import type { PaidTier, Plan, TrialOffer } from '@tapeline/contracts/config/plans'
import { useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { chosenTier, contactPath } from '../../paths.ts'
import { useLocation } from '../../router.ts'
import { useUser } from '../../session/use-session.ts'
import { Button } from '../../ui/Button.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { ConfirmDialog } from '../api-keys/ConfirmDialog.tsx'
import { startTrial } from './plan.queries.ts'
import { TIER_NAMES } from './tier-names.ts'

const STATES = {
  available: msg`available`,
  running: msg`running`,
  used: msg`already used`,
  included: msg`included in your plan`,
  not_offered: msg`not offered`,
} as const

/** Available trials: one per plan, without a card. */
export function Trials({ plan }: { plan: Plan }) {
  const user = useUser()
  const chosen = chosenTier(useLocation().search)
  const reason = reasonAgainst(plan, user.emailVerified)
  const [picked, setPicked] = useState<PaidTier | 'none'>()
  // The plan chosen on the pricing page: its dialog opens as soon as the trial can start, until it is closed.
  const first = plan.trials.find(({ tier, state }) => tier === chosen && state === 'available')
  const offer = picked === undefined ? reason === undefined && first : plan.trials.find(({ tier }) => tier === picked)
  return (
    <section className="panel" aria-labelledby="trials">
      <div className="panel-head">
        <h2 id="trials">{t`Trials`}</h2>
        <span className="small muted">{t`once per plan, no credit card`}</span>
      </div>
      <ul className="trials">
        {plan.trials.map((one) => (
          <Offer key={one.tier} offer={one} reason={reason} onStart={() => setPicked(one.tier)} />
        ))}
      </ul>
      {reason !== undefined && (
        <p className="panel-foot" id="no-trial">
          {reason}
        </p>
      )}
      {offer && (
        <ConfirmDialog
          title={plural(offer.days, {
            one: `Try ${TIER_NAMES[offer.tier]} for # day`,
            other: `Try ${TIER_NAMES[offer.tier]} for # days`,
          })}
          text={t`The limits and features of ${TIER_NAMES[offer.tier]} apply from your next request. No credit card, nothing is charged.`}
          impact={plural(offer.days, {
            one: t`After # day your account returns to ${plan.name}. Each plan can be tried once.`,
            other: t`After # days your account returns to ${plan.name}. Each plan can be tried once.`,
          })}
          action={t`Start trial`}
          keep={t`Not now`}
          variant="primary"
          failure={t`The trial could not be started. Please try again.`}
          done={t`Your ${TIER_NAMES[offer.tier]} trial has started`}
          onConfirm={() => startTrial(offer.tier)}
          onClose={() => setPicked('none')}
        />
      )}
    </section>
  )
}

function reasonAgainst({ trial, trials }: Plan, isVerified: boolean): string | undefined {
  if (!trials.some(({ state }) => state === 'available')) return undefined
  if (!isVerified) return t`Verify your email address first, then start the trial.`
  return trial === null ? undefined : t`One trial at a time: end the running trial first.`
}

type OfferProps = { offer: TrialOffer; reason: string | undefined; onStart: () => void }

function Offer({ offer: { tier, days, state }, reason, onStart }: OfferProps) {
  return (
    <li>
      <b className="medium">{TIER_NAMES[tier]}</b>
      <span className="muted">{plural(days, { one: '# day', other: '# days' })}</span>
      <StateBadge tone={state === 'running' ? 'live' : 'off'}>{i18n._(STATES[state])}</StateBadge>
      {state === 'used' && (
        <a className="btn end" href={contactPath('sales')}>
          {t`Upgrade to ${TIER_NAMES[tier]}`}
        </a>
      )}
      {state === 'available' && (
        <Button
          className="end"
          isDisabled={reason !== undefined}
          aria-describedby={reason === undefined ? undefined : 'no-trial'}
          onClick={onStart}
        >
          <Trans>Start {days}-day trial</Trans>
        </Button>
      )}
    </li>
  )
}
