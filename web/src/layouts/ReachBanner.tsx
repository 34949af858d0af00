import { t } from '@lingui/core/macro'
import { useSyncExternalStore } from 'react'
import type { ReachState } from '../api/reach.ts'
import { formatAgo } from '../format/duration.ts'
import { reach } from '../platform.ts'
import { Button } from '../ui/Button.tsx'
import { useDelayed } from '../ui/hooks/use-delayed.ts'
import { useNow } from '../ui/hooks/use-now.ts'

/** Interruptions shorter than this are not shown. */
const TOLD_AFTER_MS = 1_000

/** While nothing is answered: that the page shows what was known before, and how old that is. */
export function ReachBanner() {
  const state = useSyncExternalStore(reach.subscribe, reach.get)
  const isTold = useDelayed(state.isOffline || state.isAway, TOLD_AFTER_MS)
  return (
    <>
      <p className="sr" role="status">
        {isTold ? toldOf(state) : ''}
      </p>
      {isTold && <Told state={state} />}
    </>
  )
}

function Told({ state }: { state: ReachState }) {
  const nowMs = useNow()
  const { answeredAtMs, isOffline } = state
  return (
    <section className="hint-bar is-warn" aria-label={t`Connection`}>
      <p>
        {toldOf(state)}{' '}
        {answeredAtMs !== undefined && (
          <span className="t2">{t`What you see was known ${formatAgo(answeredAtMs, Math.max(nowMs, answeredAtMs))}.`}</span>
        )}
      </p>
      {!isOffline && (
        <Button size="small" onClick={() => void reach.look()}>
          {t`Try again now`}
        </Button>
      )}
    </section>
  )
}

function toldOf({ isOffline, isAway }: ReachState): string {
  if (isOffline) return t`Your browser is offline.`
  return isAway ? t`The API cannot be reached.` : t`The API answers again.`
}
