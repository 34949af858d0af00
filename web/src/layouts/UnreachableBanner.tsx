import { t } from '@lingui/core/macro'
import { useSyncExternalStore } from 'react'
import type { Reachability } from '../api/reachability.ts'
import { formatAgo } from '../format/duration.ts'
import { reachability } from '../platform.ts'
import { Button } from '../ui/Button.tsx'
import { useDelayed } from '../ui/hooks/use-delayed.ts'
import { useNow } from '../ui/hooks/use-now.ts'

/** Interruptions shorter than this are not shown. */
const SHOWN_AFTER_MS = 1_000

/** Shown while the API cannot be reached: the page shows loaded data and its age. */
export function UnreachableBanner() {
  const state = useSyncExternalStore(reachability.subscribe, reachability.get)
  const isShown = useDelayed(state.isOffline || state.isUnreachable, SHOWN_AFTER_MS)
  return (
    <>
      <p className="sr-only" role="status">
        {isShown ? textOf(state) : ''}
      </p>
      {isShown && <UnreachableNotice state={state} />}
    </>
  )
}

function UnreachableNotice({ state }: { state: Reachability }) {
  const nowMs = useNow()
  const { answeredAtMs, isOffline } = state
  return (
    <section className="hint-bar is-warn" aria-label={t`Connection`}>
      <p>
        {textOf(state)}{' '}
        {answeredAtMs !== undefined && (
          <span className="muted">{t`The data shown is from ${formatAgo(answeredAtMs, Math.max(nowMs, answeredAtMs))}.`}</span>
        )}
      </p>
      {!isOffline && (
        <Button size="small" onClick={() => void reachability.check()}>
          {t`Try again now`}
        </Button>
      )}
    </section>
  )
}

function textOf({ isOffline, isUnreachable }: Reachability): string {
  if (isOffline) return t`Your browser is offline.`
  return isUnreachable ? t`The API cannot be reached.` : t`The API can be reached again.`
}
