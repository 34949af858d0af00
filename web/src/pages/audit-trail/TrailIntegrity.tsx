import { plural, t } from '@lingui/core/macro'
import type { TrailCheck } from '@tapeline/contracts/audit/trail-check'
import { useMutation, useQuery } from '@tanstack/react-query'
import { formatClock, formatDate } from '../../format/date.ts'
import { formatCount } from '../../format/number.ts'
import { queryClient } from '../../queries.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { startCheck, trailCheckQuery } from './trail.queries.ts'

/** For administrators: whether the trail of the whole platform is as it was written. */
export function TrailIntegrity() {
  const { timezone } = useSettings()
  const check = useQuery(trailCheckQuery)
  const start = useMutation({
    mutationFn: startCheck,
    onSuccess: (started) => queryClient.setQueryData(trailCheckQuery.queryKey, started),
    onError: (error) => showToast({ type: 'error', title: t`The verification did not start`, message: error.message }),
  })
  if (check.data === undefined) return null
  const { verdict, finished_at, state, has_store } = check.data
  return (
    <section className="panel trail-check" aria-labelledby="trail-check">
      <div className="panel-head">
        <h2 id="trail-check">{t`Integrity of the whole trail`}</h2>
        <Verdict check={check.data} />
        <span className="end">
          <Button onClick={() => start.mutate()} isDisabled={state === 'running' || start.isPending}>
            {state === 'running' ? t`Verifying` : t`Verify now`}
          </Button>
        </span>
      </div>
      {verdict?.fault && <p className="message trail-fault">{verdict.fault.text}</p>}
      {verdict !== null && finished_at !== null && (
        <p className="panel-foot">
          {t`${formatCount(verdict.entries)} entries verified on ${formatDate(finished_at, timezone)} at ${formatClock(finished_at, timezone)}.`}{' '}
          {plural(verdict.anchors, {
            one: `# signed anchor covers ${formatCount(verdict.anchored_entries)} of them.`,
            other: `# signed anchors cover ${formatCount(verdict.anchored_entries)} of them.`,
          })}
        </p>
      )}
      {!has_store && (
        <p className="panel-foot">{t`No object store is configured, so the trail is not anchored: set LAKE_URL.`}</p>
      )}
    </section>
  )
}

function Verdict({ check: { verdict } }: { check: TrailCheck }) {
  if (verdict === null) return <StateBadge tone="off">{t`not verified yet`}</StateBadge>
  return verdict.isRight ? (
    <StateBadge tone="ok">{t`intact`}</StateBadge>
  ) : (
    <StateBadge tone="bad">{t`changed`}</StateBadge>
  )
}
