import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { api } from '../platform.ts'
import { useUser } from '../session/use-session.ts'
import { Button } from '../ui/Button.tsx'

/** For every page of the dashboard until the address is verified. */
export function VerifyEmailHint() {
  const { email } = useUser()
  const [result, setResult] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function resend(): Promise<void> {
    setBusy(true)
    try {
      await api.send({ method: 'POST', path: '/api/v1/internal/user/resend-verification' })
      setResult(t`A new link is on its way to ${email}.`)
    } catch (error) {
      setResult(
        error instanceof ApiError && error.status !== 0 ? error.message : t`There was no response. Please try again.`,
      )
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className="hint-bar" aria-label={t`Email verification`}>
      <p aria-live="polite">
        {result ??
          t`Verify your email: open the link that was sent to ${email}. Until then, no reminders, notices or reports are sent to it.`}
      </p>
      <Button
        size="small"
        isBusy={isBusy}
        onClick={() => {
          if (!isBusy) void resend()
        }}
      >
        {t`Send it again`}
      </Button>
    </section>
  )
}
