import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from './Button.tsx'
import { focusMain } from './focus-main.ts'
import { openLayer } from './layers.ts'

type DialogProps = {
  title: ReactNode
  onClose: () => void
  children: ReactNode
  foot?: ReactNode
  /** Under the title. */
  lead?: ReactNode
  /** While false, Escape, a click outside and X only call `onCloseRefused`. */
  canClose?: boolean
  onCloseRefused?: () => void
  className?: string
}

/** Open as long as it is rendered. The focus returns to the previous element, if it still exists. */
export function Dialog({
  title,
  lead,
  onClose,
  children,
  foot,
  canClose = true,
  onCloseRefused,
  className = '',
}: DialogProps) {
  const titleId = useId()
  return (
    <Layer
      className={`dialog ${className}`}
      labelledBy={titleId}
      onClose={() => (canClose ? onClose() : onCloseRefused?.())}
    >
      <div className="dialog-head">
        <div className="row">
          <h2 id={titleId}>{title}</h2>
          {canClose && (
            <Button
              className="end"
              variant="quiet"
              size="small"
              isIconOnly
              aria-label={t`Close`}
              onClick={onClose}
              icon={<X className="icon" aria-hidden="true" />}
            />
          )}
        </div>
        {lead !== undefined && <p className="muted">{lead}</p>}
      </div>
      <div className="dialog-body">{children}</div>
      {foot !== undefined && <div className="dialog-foot">{foot}</div>}
    </Layer>
  )
}

type LayerProps = {
  className: string
  onClose: () => void
  children: ReactNode
  labelledBy?: string
  label?: string
}

/** A native modal dialog: the page behind is inert, the focus stays inside, Escape closes only the top one. */
export function Layer({ className, onClose, children, labelledBy, label }: LayerProps) {
  const dialog = useRef<HTMLDialogElement>(null)

  useLayoutEffect(() => {
    const element = dialog.current
    if (element === null) return
    const before = document.activeElement
    element.showModal()
    const closeLayer = openLayer(element)
    return () => {
      closeLayer()
      element.close()
      if (before instanceof HTMLElement && before !== document.body) focusAgain(before)
    }
  }, [])

  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    // Prevented, because the browser closes it when Escape is pressed twice.
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }

  function closeOnOutside(event: MouseEvent): void {
    const { target, clientX, clientY } = event
    if (target === dialog.current && !contains(dialog.current.getBoundingClientRect(), clientX, clientY)) onClose()
  }

  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={labelledBy}
      aria-label={label}
      onKeyDown={closeOnEscape}
      onMouseDown={closeOnOutside}
      onCancel={(event) => event.preventDefault()}
      onClose={(event) => {
        if (event.target === dialog.current) dialog.current.showModal()
      }}
    >
      <div className="layer">{children}</div>
    </dialog>
  )
}

/** Time in which the list of a deleted row is loaded again. */
const DISAPPEARS_WITHIN_MS = 5_000

/**
 * The element may disappear with the dialog or soon after it, such as the menu of a deleted row; the focus then goes to the content.
 */
function focusAgain(element: HTMLElement): void {
  const observer = new MutationObserver(onRemoved)
  function onRemoved(): void {
    if (element.isConnected) return
    observer.disconnect()
    if (document.activeElement === document.body) focusMain()
  }
  element.focus()
  observer.observe(document.body, { childList: true, subtree: true })
  queueMicrotask(onRemoved)
  setTimeout(() => observer.disconnect(), DISAPPEARS_WITHIN_MS)
}

/** A press on the dialog's own border or scrollbar has the same target as one on the backdrop, but is inside. */
function contains({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean {
  return x >= left && x <= right && y >= top && y <= bottom
}
