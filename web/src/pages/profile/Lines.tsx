import { type ReactNode, useId } from 'react'

export function Panel({ title, tools, children }: { title: string; tools?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {tools !== undefined && <span className="tools">{tools}</span>}
      </div>
      {children}
    </section>
  )
}

/** Label, value and action. */
export function Line({ label, children, action }: { label: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
      {action !== undefined && <dd className="action">{action}</dd>}
    </div>
  )
}
