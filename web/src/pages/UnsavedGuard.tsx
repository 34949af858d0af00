import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { type Location, useBlocker } from '../router.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

type UnsavedGuardProps = {
  /** True if there is unsaved input. */
  isDirty: boolean
  /** Whether this navigation discards the input; by default, all other pages do. */
  isLost?: (from: Location, to: Location) => boolean
  title?: string
  text?: string
}

/** Asks for confirmation before unsaved input is lost: with this dialog inside the dashboard, otherwise with that of the browser. */
export function UnsavedGuard({ isDirty, isLost = isOtherPage, title, text }: UnsavedGuardProps) {
  const way = useBlocker(({ currentLocation, nextLocation }) => isDirty && isLost(currentLocation, nextLocation))

  useEffect(() => {
    if (!isDirty) return
    const preventLeaving = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', preventLeaving)
    return () => window.removeEventListener('beforeunload', preventLeaving)
  }, [isDirty])

  if (way.state !== 'blocked') return null
  return (
    <Dialog
      title={title ?? t`Leave without saving?`}
      onClose={way.reset}
      foot={
        <>
          <Button variant="primary" onClick={way.reset}>
            {t`Stay here`}
          </Button>
          <Button onClick={way.proceed}>{t`Leave`}</Button>
        </>
      }
    >
      <p>{text ?? t`Your changes here are not saved. If you leave, they are lost.`}</p>
    </Dialog>
  )
}

function isOtherPage(from: Location, to: Location): boolean {
  return from.pathname !== to.pathname
}
