import { t } from '@lingui/core/macro'
import type { ReplayResult } from '@tapeline/contracts/audit/replay'
import { formatCount } from '../../../format/number.ts'
import { Tape } from '../../../ui/Tape.tsx'
import { rejectedSlots } from './rejected-slots.ts'

type Rejected = Pick<ReplayResult, 'hours' | 'requests' | 'would_be_rejected'>

/** Requests by hour, with those that proposed limits would reject. */
export function RejectedHours({ result: { hours, requests, would_be_rejected: rejected } }: { result: Rejected }) {
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
            slots={rejectedSlots(hours)}
          />
        </div>
      )}
    </section>
  )
}
