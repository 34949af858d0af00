import { Plural, Trans } from '@lingui/react/macro'
import { plural, t } from '@lingui/core/macro'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { useState } from 'react'
import { formatClock } from '../../format/date.ts'
import { formatCount } from '../../format/number.ts'
import { Link } from '../../router.ts'
import { format, isShort } from './chart/bucket-time.ts'

type StateLineProps = {
  report: UsageReport
  isPast: boolean
  /** The report is that of the previous filter. */
  isPrevious: boolean
  isStale: boolean
  /** URL of the requests of the filter. */
  requests: string
}

/** How many, of which time, in which zone, and as of when. */
export function StateLine({ report, isPast, isPrevious, isStale, requests }: StateLineProps) {
  const { total, as_of, final_until, drift } = report
  const { from, to, tz, bucket } = report.period
  const timeFormat: Intl.DateTimeFormatOptions = {
    day: 'numeric',
    month: 'short',
    ...(isShort(report.series.length, bucket) ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : {}),
  }
  const start = format(from, tz, timeFormat)
  const end = isPast ? format(to, tz, timeFormat) : t`now`
  return (
    <p className="state-line">
      <Spoken total={isPrevious ? undefined : total} requests={requests} />
      <Trans>
        <b className="mono" data-testid="total">
          {formatCount(total)}
        </b>{' '}
        <Plural value={total} one="request" other="requests" />, {start} to {end}, {tz}
      </Trans>{' '}
      <span className="faint">·</span>{' '}
      <Trans>
        as of <span className="mono">{formatClock(as_of, tz)}</span>
      </Trans>
      {final_until !== null && (
        <>
          {' '}
          <span className="faint">·</span>{' '}
          <Trans>
            verified until <span className="mono">{formatClock(final_until, tz)}</span>
          </Trans>
          {drift !== null && drift !== 0 && `, ${t`difference from the limiter: ${formatCount(drift)}`}`}
        </>
      )}{' '}
      <span className="faint">·</span>{' '}
      <Link className="link" to={requests}>
        {t`View requests`}
      </Link>
      {isStale && (
        <>
          {' '}
          <span className="faint">·</span>{' '}
          <span className="state state-warn">{t`not updated: the API does not respond`}</span>
        </>
      )}
    </p>
  )
}

type SpokenProps = { total: number | undefined; requests: string }

/** For screen readers: the number once for every chosen filter, not with every request that is counted. */
function Spoken({ total, requests }: SpokenProps) {
  const [spoken, setSpoken] = useState({ requests, text: '' })
  if (total !== undefined && spoken.requests !== requests) {
    setSpoken({ requests, text: plural(total, { one: '# request', other: '# requests' }) })
  }
  return (
    <span className="sr-only" role="status">
      {spoken.text}
    </span>
  )
}
