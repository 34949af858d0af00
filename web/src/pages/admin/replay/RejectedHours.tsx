import { t } from '@lingui/core/macro'
import type { ReplayResult } from '@tapeline/contracts/audit/replay'
import { formatCount } from '../../../format/number.ts'
import { Tape } from '../../../ui/Tape.tsx'

type Rejected = Pick<ReplayResult, 'hours' | 'requests' | 'would_be_rejected'>

/** Requests by hour, with those that proposed limits would reject. */
export function RejectedHours({ result: { hours, requests, would_be_rejected: rejected } }: { result: Rejected }) {
  const most = Math.max(1, ...hours.map((hour) => hour.requests))
  const mostRejected = Math.max(1, ...hours.map((hour) => hour.would_be_rejected))
  return (
    <section className="panel" aria-labelledby="replay-when">
      <div className="panel-head">
        <h2 id="replay-when">{t`When`}</h2>
        <span className="small muted">{t`by hour, all accounts of the tier`}</span>
      </div>
      {hours.length === 0 ? (
        <p className="panel-body muted">{t`No account of this tier sent a request in this period.`}</p>
      ) : (
        <div className="panel-body">
          <Tape
            label={t`${formatCount(rejected)} of ${formatCount(requests)} requests would be rejected, in ${hours.length} hours with requests.`}
            now="none"
            heightPx={96}
            slots={hours.map((hour) => ({
              key: hour.at,
              up: hour.requests / most,
              ...(hour.would_be_rejected > 0
                ? { down: hour.would_be_rejected / mostRejected, kind: 'throttled' as const }
                : {}),
            }))}
          />
        </div>
      )}
    </section>
  )
}
