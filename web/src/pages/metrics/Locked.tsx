import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { Lock } from 'lucide-react'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'

/** A feature outside the caller's tier, with the name of the tier that includes it. */
export function Locked({ what, tier }: { what: string; tier: string }) {
  return (
    <div className="message locked">
      <h3>
        <Lock className="icon" aria-hidden="true" />{' '}
        <Trans>
          Upgrade to {tier} for {what}
        </Trans>
      </h3>
      <p>{t`Your own counts, outcomes and limits are always here, on every plan.`}</p>
      <Link className="link" to={paths.plan}>
        {t`Compare plans`}
      </Link>
    </div>
  )
}
