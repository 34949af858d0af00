import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../Button.tsx'
import { subscribeLayers, topLayer } from '../layers.ts'
import { type StateTone, StateBadge } from '../StateBadge.tsx'
import { useIsStarted } from '../hooks/use-is-started.ts'
import { createToastStore, type NewToast, type Toast, type ToastType } from './toast-store.ts'

const store = createToastStore()

export function showToast(toast: NewToast): void {
  store.show(toast)
}

export function clearPastToasts(): void {
  store.forgetPast()
}

const TONES: Record<ToastType, StateTone> = { success: 'ok', error: 'bad', warning: 'warn', info: 'off' }
const LOG_ID = 'past-notifications'

/** Rendered once per page, always in the layer that is not inert. */
export function Toasts() {
  const layer = useSyncExternalStore(subscribeLayers, topLayer, () => undefined)
  const isStarted = useIsStarted()
  return isStarted && createPortal(<ToastList />, layer ?? document.body)
}

/** Toasts stay while the pointer or focus is on one. A pointer already resting where a toast appears does not count. */
function ToastList() {
  const { shown, log } = useSyncExternalStore(store.subscribe, store.get)
  const [hasPointer, setPointer] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  return (
    <section
      className="toasts"
      aria-label={t`Messages`}
      onMouseMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && setPointer(true)}
      onMouseLeave={() => setPointer(false)}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
    >
      {shown.map((toast) => (
        <ToastCard
          key={toast.id}
          toast={toast}
          isPaused={hasPointer || hasFocus}
          onDismiss={() => {
            store.dismiss(toast.id)
            // The focused element was removed, and browsers fire no event for that.
            setFocus(false)
            if (shown.length === 1) setPointer(false)
          }}
        />
      ))}
      <ol className="sr-only" id={LOG_ID} aria-label={t`Past notifications`}>
        {log.map((toast) => (
          <li key={toast.id}>{[toast.title, toast.message].filter(Boolean).join('. ')}</li>
        ))}
      </ol>
    </section>
  )
}

type ToastCardProps = { toast: Toast; isPaused: boolean; onDismiss: () => void }

function ToastCard({ toast, isPaused, onDismiss }: ToastCardProps) {
  useEffect(() => {
    if (isPaused) return
    const timer = setTimeout(() => store.dismiss(toast.id), toast.durationMs)
    return () => clearTimeout(timer)
  }, [toast, isPaused])

  const isUrgent = toast.type === 'error' || toast.type === 'warning'
  return (
    <div className="toast" role={isUrgent ? 'alert' : 'status'}>
      <StateBadge tone={TONES[toast.type]} />
      <b>{toast.title}</b>
      <Button
        variant="quiet"
        size="small"
        isIconOnly
        aria-label={t`Dismiss`}
        onClick={onDismiss}
        icon={<X className="icon" aria-hidden="true" />}
      />
      {toast.message !== undefined && <p>{toast.message}</p>}
    </div>
  )
}

/** Past messages, newest first. */
export function ToastLog() {
  const { log } = useSyncExternalStore(store.subscribe, store.get)
  if (log.length === 0) return null
  return (
    <details className="toast-log">
      <summary>{t`Messages of this visit`}</summary>
      <ol>
        {log.toReversed().map((toast) => (
          <li key={toast.id}>
            <StateBadge tone={TONES[toast.type]} /> <b className="medium">{toast.title}</b>
            {toast.message !== undefined && <span className="muted"> {toast.message}</span>}
          </li>
        ))}
      </ol>
    </details>
  )
}
