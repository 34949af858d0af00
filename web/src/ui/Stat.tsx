import type { ReactNode } from 'react'

export function Stats({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <dl className={`stats ${className}`}>{children}</dl>
}

type StatProps = {
  label: ReactNode
  value: ReactNode
  unit?: ReactNode
  detail?: ReactNode
  /** Words instead of a number, in the sans-serif font. */
  isWords?: boolean
}

export function Stat({ label, value, unit, detail, isWords = false }: StatProps) {
  return (
    <div className="stat">
      <dt>{label}</dt>
      <dd className={isWords ? 'value words' : 'value'}>
        {value}
        {unit !== undefined && <span className="unit">{unit}</span>}
      </dd>
      {detail !== undefined && <dd className="detail">{detail}</dd>}
    </div>
  )
}
