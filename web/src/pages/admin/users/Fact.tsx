import type { ReactNode } from 'react'

type FactProps = { label: string; children: ReactNode; action?: ReactNode; isWide?: boolean }

export function Fact({ label, children, action, isWide = false }: FactProps) {
  return (
    <div className={isWide ? 'is-wide' : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
      {action !== undefined && <dd className="action">{action}</dd>}
    </div>
  )
}
