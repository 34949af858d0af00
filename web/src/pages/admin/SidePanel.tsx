import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'

type SidePanelProps = {
  title: string
  /** True for a key or an identifier, which is shown in monospace. */
  isCode?: boolean
  className?: string
  closeLabel: string
  onClose: () => void
  children: ReactNode
}

/** Details of the selected row, next to the list. Focus moves to its heading when it opens. */
export function SidePanel({ title, isCode, className, closeLabel, onClose, children }: SidePanelProps) {
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <aside className={className === undefined ? 'panel hist' : `panel hist ${className}`} aria-labelledby={headingId}>
      <div className="panel-head">
        <h2 id={headingId} ref={heading} tabIndex={-1} className={isCode === true ? 'mono clip' : 'clip'}>
          {title}
        </h2>
        <span className="tools">
          <Button
            variant="quiet"
            size="small"
            isIconOnly
            aria-label={closeLabel}
            onClick={onClose}
            icon={<X className="icon" aria-hidden="true" />}
          />
        </span>
      </div>
      {children}
    </aside>
  )
}
