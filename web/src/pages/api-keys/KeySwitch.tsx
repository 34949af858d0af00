import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { updateKey } from './send-key-changes.ts'

/** Pauses or resumes a key from the next request; updated optimistically and reverted if the server rejects it. */
export function KeySwitch({ apiKey }: { apiKey: ApiKey }) {
  const [pending, setPending] = useState<boolean>()
  const hasEnded = apiKey.status === 'revoked' || apiKey.status === 'expired'
  const isOn = pending ?? apiKey.is_active

  async function toggle(): Promise<void> {
    // Not disabled meanwhile: that would take the focus away.
    if (pending !== undefined) return
    const next = !isOn
    setPending(next)
    try {
      await updateKey(apiKey.id, { is_active: next })
      showToast({ type: 'success', title: next ? t`${apiKey.name} is active` : t`${apiKey.name} is inactive` })
    } catch (error) {
      const message = error instanceof ApiError ? error.message : undefined
      showToast({ type: 'error', title: t`Failed to update API key. Please try again.`, ...(message && { message }) })
    }
    setPending(undefined)
  }

  return (
    <input
      className="switch row-switch"
      type="checkbox"
      role="switch"
      aria-label={t`${apiKey.name} active`}
      aria-checked={isOn}
      checked={isOn}
      aria-disabled={pending !== undefined}
      disabled={hasEnded}
      onChange={() => void toggle()}
    />
  )
}
