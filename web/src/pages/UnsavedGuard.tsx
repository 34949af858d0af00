import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { type Location, useBlocker } from '../router.ts'
import { addLeaveGuard } from '../session/leave-guards.ts'
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
  const [signOut, setSignOut] = useState<{ leave: () => void }>()
  const [isReleased, setReleased] = useState(false)
  const isGuarding = isDirty && !isReleased
  const way = useBlocker(({ currentLocation, nextLocation }) => isGuarding && isLost(currentLocation, nextLocation))

  useEffect(() => {
    if (!isGuarding) return
    const preventLeaving = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', preventLeaving)
    const removeGuard = addLeaveGuard((leave) => setSignOut({ leave }))
    return () => {
      window.removeEventListener('beforeunload', preventLeaving)
      removeGuard()
    }
  }, [isGuarding])

  function leaveSignedOut(leave: () => void): void {
    // Without this, the browser would ask again.
    setReleased(true)
    setSignOut(undefined)
    leave()
  }

  const question =
    way.state === 'blocked'
      ? { stay: way.reset, leave: way.proceed }
      : signOut && { stay: () => setSignOut(undefined), leave: () => leaveSignedOut(signOut.leave) }
  if (question === undefined) return null
  return (
    <Dialog
      title={title ?? t`Leave without saving?`}
      onClose={question.stay}
      foot={
        <>
          <Button variant="primary" onClick={question.stay}>
            {t`Stay here`}
          </Button>
          <Button onClick={question.leave}>{t`Leave`}</Button>
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
