import { Trans } from '@lingui/react/macro'
import { plural, t } from '@lingui/core/macro'
import type { Plan } from '@tapeline/contracts/config/plans'
import { formatDateTime } from '../../format/date.ts'
import { contactPath } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { TIER_NAMES } from './tier-names.ts'

type Props = { trial: NonNullable<Plan['trial']>; onEnd: () => void }

/** A running trial: how long it lasts, and the three ways it can end. */
export function TrialWays({ trial, onEnd }: Props) {
  const name = TIER_NAMES[trial.tier]
  const after = TIER_NAMES[trial.tier_after]
  const end = formatDateTime(trial.ends_at)
  return (
    <section className="panel trial-ways" aria-labelledby="trial-ways">
      <div>
        <h2 id="trial-ways">
          {plural(trial.days_left, {
            one: `Your ${name} trial ends in # day`,
            other: `Your ${name} trial ends in # days`,
          })}
        </h2>
        <p className="muted">
          <Trans>
            On <span className="mono">{end}</span> UTC. No card is on file, so nothing is charged.
          </Trans>
        </p>
      </div>
      <ul>
        <li>
          <h3>{t`Keep ${name}`}</h3>
          <p>{t`Contact support before the trial ends. Nothing changes for your keys.`}</p>
          <a className="btn btn-primary" href={contactPath('sales')}>
            {t`Keep ${name}`}
          </a>
        </li>
        <li>
          <h3>{t`Do nothing`}</h3>
          <p>{t`When the trial ends, the account moves to the ${after} plan and keeps its keys.`}</p>
        </li>
        <li>
          <h3>{t`End the trial now`}</h3>
          <p>{t`The account moves to the ${after} plan immediately.`}</p>
          <Button onClick={onEnd}>{t`End trial`}</Button>
        </li>
      </ul>
    </section>
  )
}
