import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { TIERS } from '@tapeline/contracts/actor'
import type { Plan } from '@tapeline/contracts/config/plans'
import { chosenTier, contactPath, paths } from '../../paths.ts'
import { Link, useLocation } from '../../router.ts'
import { useUser } from '../../session/use-session.ts'
import { TIER_NAMES } from './tier-names.ts'

/** Continues with the plan that was chosen on the pricing page. */
export function ChosenPlan({ plan }: { plan: Plan }) {
  const { search } = useLocation()
  const { emailVerified } = useUser()
  const tier = TIERS.find((one) => one === chosenTier(search))
  if (tier === undefined || tier === 'free') return null
  const name = TIER_NAMES[tier]
  const state = plan.trials.find((one) => one.tier === tier)?.state
  if (plan.tier === tier) {
    return (
      <p className="banner" role="status">
        <span>
          <Trans>
            Your account has the {name} plan.{' '}
            <Link className="link" to={paths.apiKeys}>
              Create an API key
            </Link>{' '}
            to use it.
          </Trans>
        </span>
      </p>
    )
  }
  return (
    <p className="banner" role="status">
      <span>
        {t`You chose ${name}.`}{' '}
        {state === 'available' ? (
          waitingWords(plan, emailVerified)
        ) : (
          <Trans>
            <a className="link" href={contactPath('sales')}>
              Contact support
            </a>{' '}
            to upgrade.
          </Trans>
        )}
      </span>
    </p>
  )
}

function waitingWords({ trial }: Plan, isVerified: boolean): string {
  if (!isVerified) return t`Open the link in the mail we sent you, then start the trial below.`
  return trial === null ? t`Start the trial below.` : t`End the running trial first, then start this one.`
}
