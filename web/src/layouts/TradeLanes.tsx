import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'

const LANES = [1, 2, 3, 4]

/** Shown next to a form: one lane per instrument, and an explanation. */
export function TradeLanes({ children, note }: { children: ReactNode; note: ReactNode }) {
  return (
    <aside className="trade-lanes" aria-label={t`Last public trades`}>
      <ul>{children}</ul>
      <p>{note}</p>
    </aside>
  )
}

/** Container of the trades. */
export function EmptyTradeLanes({ lane, note = <TradeLanesNote /> }: { lane?: ReactNode; note?: ReactNode }) {
  return (
    <TradeLanes note={note}>
      {LANES.map((key) => (
        <li key={key} aria-hidden="true">
          <div className="lane-head" />
          <div className="lane">{lane}</div>
        </li>
      ))}
    </TradeLanes>
  )
}

export function TradeLanesNote() {
  return <span>{t`Simulated trades. Buys above the line, sells below.`}</span>
}
