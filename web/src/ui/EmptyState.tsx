import type { ReactNode } from 'react'

type EmptyStateProps = {
  title: string
  children?: ReactNode
  /** What the page will look like, for example a ghost tape. */
  ghost?: ReactNode
  actions?: ReactNode
}

export function EmptyState({ title, children, ghost, actions }: EmptyStateProps) {
  return (
    <div className="empty-state">
      {ghost}
      <div className="msg">
        <h3>{title}</h3>
        {children}
        {actions !== undefined && <div className="row">{actions}</div>}
      </div>
    </div>
  )
}
