import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { useEffect, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { ApiError } from '../../api/api-error.ts'
import type { PushState } from '../../settings/browser-push.ts'
import { openBrowserPush } from '../../settings/open-browser-push.ts'
import { Button } from '../../ui/Button.tsx'
import { FieldError } from '../../ui/Field.tsx'

const NO_PUSH_SERVICE = msg`This browser has no push service that could be reached. Please try again.`
const SAYS: Record<PushState, MessageDescriptor> = {
  unsupported: msg`This browser cannot show pushes, or the page is not served over HTTPS.`,
  blocked: msg`This browser blocks notifications from this site: allow them in its settings for the site.`,
  off: msg`Push notifications are off in this browser.`,
  on: msg`Push notifications are on in this browser.`,
}

/** Shows whether this browser receives pushes, and the button to change it. */
export function BrowserPushField() {
  const [pushes] = useState(openBrowserPush)
  const [state, setState] = useState<PushState>()
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    pushes.state().then(setState, (cause: unknown) => {
      setState('off')
      setError(reasonOf(cause))
    })
  }, [pushes])

  async function turn(change: () => Promise<PushState>): Promise<void> {
    setBusy(true)
    setError(undefined)
    try {
      setState(await change())
    } catch (cause) {
      setError(reasonOf(cause))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="opt-row this-browser">
      <div aria-live="polite">
        <p className="sub">{state === undefined ? '' : i18n._(SAYS[state])}</p>
        {error !== undefined && <FieldError>{error}</FieldError>}
      </div>
      {state === 'off' && (
        <Button size="small" isBusy={isBusy} onClick={() => void turn(pushes.turnOn)}>
          {t`Turn on in this browser`}
        </Button>
      )}
      {state === 'on' && (
        <Button size="small" isBusy={isBusy} onClick={() => void turn(pushes.turnOff)}>
          {t`Turn off in this browser`}
        </Button>
      )}
    </div>
  )
}

function reasonOf(cause: unknown): string {
  return cause instanceof ApiError ? cause.message : i18n._(NO_PUSH_SERVICE)
}
