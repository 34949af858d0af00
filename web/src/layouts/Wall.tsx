import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'

const LANES = [1, 2, 3, 4]

/** Shown next to a form: one lane per instrument, and an explanation. */
export function Wall({ children, note }: { children: ReactNode; note: ReactNode }) {
  return (
    <aside className="wall" aria-label={t`Last public trades`}>
      <ul>{children}</ul>
      <p>{note}</p>
    </aside>
  )
}

/** Container of the trades. */
export function EmptyWall({ lane, note = <WallNote /> }: { lane?: ReactNode; note?: ReactNode }) {
  return (
    <Wall note={note}>
      {LANES.map((key) => (
        <li key={key} aria-hidden="true">
          <div className="lane-head" />
          <div className="lane">{lane}</div>
        </li>
      ))}
    </Wall>
  )
}

export function WallNote() {
  return <span>{t`Simulated trades. Buys above the line, sells below.`}</span>
}
