import { plural, t } from '@lingui/core/macro'
import type { LimitsReplay, ReplayResult } from '@tapeline/contracts/audit/replay'
import { formatDateTime } from '../../../format/date.ts'
import { formatCount, formatPercent } from '../../../format/number.ts'
import { Meter } from '../../../ui/Meter.tsx'
import { AffectedAccounts } from './AffectedAccounts.tsx'
import { RejectedHours } from './RejectedHours.tsx'
import { useReplay } from './replay.queries.ts'

/** The replay named in the URL: its progress, then what would have happened. */
export function ReplayState({ id }: { id: string | null }) {
  const replay = useReplay(id)
  const { data } = replay
  return (
    <>
      <section className="panel" aria-labelledby="replay-result">
        <div className="panel-head">
          <h2 id="replay-result">{t`What would have happened`}</h2>
          {data !== undefined && (
            <span className="small muted">{`${formatDateTime(data.from)} – ${formatDateTime(data.to)} UTC`}</span>
          )}
        </div>
        {data?.result ? (
          <Summary result={data.result} />
        ) : (
          <Waiting replay={data} hasFailed={replay.isError && data === undefined} />
        )}
      </section>
      {data?.result && (
        <div className="replay-wide">
          <RejectedHours result={data.result} />
          <AffectedAccounts result={data.result} />
        </div>
      )}
    </>
  )
}

function Waiting({ replay, hasFailed }: { replay: LimitsReplay | undefined; hasFailed: boolean }) {
  if (hasFailed || replay?.state === 'failed') {
    return <p className="panel-body state state-bad">{t`The replay failed. Start it again; nothing was changed.`}</p>
  }
  if (replay === undefined) return <p className="panel-body muted">{t`Set limits and start a replay.`}</p>
  const percent = Math.round(replay.progress * 100)
  return (
    <div className="panel-body replay-waiting">
      <p role="status">{t`Replaying the period’s requests: ${percent}%`}</p>
      <Meter label={t`Progress`} value={percent} max={100} valueText={`${percent}%`} />
    </div>
  )
}

function Summary({ result }: { result: ReplayResult }) {
  const { requests, rejected, check } = result
  const share = (count: number) => formatPercent(requests === 0 ? 0 : count / requests)
  const several = result.rows.filter(({ days }) => days > 1).length
  return (
    <>
      <dl className="replay-sum">
        <div>
          <dt>{t`Would have been rejected`}</dt>
          <dd className="mono total">{formatCount(result.would_be_rejected)}</dd>
        </div>
        <div>
          <dt>{t`Rejected as recorded`}</dt>
          <dd className="mono">{formatCount(rejected)}</dd>
        </div>
        <div>
          <dt>{t`Of all requests`}</dt>
          <dd className="mono">{t`${share(result.would_be_rejected)} from ${share(rejected)}`}</dd>
        </div>
        <div>
          <dt>{t`Affected accounts`}</dt>
          <dd className="mono">{t`${formatCount(result.accounts_affected)} of ${formatCount(result.accounts)}`}</dd>
        </div>
        <div>
          <dt>{t`Recorded decisions reproduced`}</dt>
          <dd className="mono">{t`${formatCount(check.same)} of ${formatCount(requests)}`}</dd>
        </div>
      </dl>
      <p className="panel-foot">
        {several === 0
          ? t`No account would be newly rejected on more than one day.`
          : plural(several, {
              one: '# account would be rejected on more than one day.',
              other: '# accounts would be rejected on more than one day.',
            })}
        {check.different > 0 && ` ${t`${formatCount(check.different)} decisions differ from the record.`}`}
      </p>
    </>
  )
}
