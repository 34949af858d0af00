import type { ReactNode } from 'react'
import { Busy } from './Busy.tsx'
import { useDelayed } from './hooks/use-delayed.ts'

/** Empty at first; a gray placeholder if loading takes longer. */
export function Skeleton({ label, children }: { label: string; children: ReactNode }) {
  const isShown = useDelayed(true)
  return (
    <div aria-busy="true">
      <span className="sr-only" role="status">
        {isShown ? label : ''}
      </span>
      <div aria-hidden="true" style={{ visibility: isShown ? 'visible' : 'hidden' }}>
        {children}
      </div>
    </div>
  )
}

export function Bone({ widthPx, heightPx }: { widthPx: number; heightPx?: number }) {
  return <span className="bone" style={{ width: widthPx, ...(heightPx === undefined ? {} : { height: heightPx }) }} />
}

/** Placeholder for a whole page. */
export function Waiting({ label, showAfterMs }: { label: string; showAfterMs?: number }) {
  const isShown = useDelayed(true, showAfterMs)
  return (
    <div className="waiting" role="status">
      {isShown && (
        <>
          <Busy />
          <span className="sr-only">{label}</span>
        </>
      )}
    </div>
  )
}
