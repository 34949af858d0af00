import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Lock } from 'lucide-react'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { CalendarSkeleton } from './calendar/CalendarSkeleton.tsx'

/** For plans without data export: what the page shows, and the plan that includes it. */
export function LockedDownloads({ tierName }: { tierName: string | undefined }) {
  return (
    <section className="panel downloads" aria-labelledby="locked-downloads">
      <CalendarSkeleton />
      <div className="message">
        <h2 id="locked-downloads">
          <Lock className="icon" aria-hidden="true" />{' '}
          {tierName === undefined
            ? t`Downloads are not included in any plan`
            : t`Upgrade to ${tierName} to download files`}
        </h2>
        <p>
          {t`Each sealed day of an instrument is one Parquet file with its SHA-256, for DuckDB, pandas, Spark and ClickHouse. Your plan has no data export.`}
        </p>
        <p>
          <Trans>
            With every plan you can read the last 24 hours over the API.{' '}
            <a className="link" href={paths.docsMarketData}>
              Read the market data guide
            </a>
          </Trans>
        </p>
        <div className="row">
          <Link className={buttonClass({ variant: 'primary' })} to={paths.plan}>
            {t`Compare plans`}
          </Link>
        </div>
      </div>
    </section>
  )
}
