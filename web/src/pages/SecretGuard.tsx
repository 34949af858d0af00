import { t } from '@lingui/core/macro'
import { UnsavedGuard } from './UnsavedGuard.tsx'

/** Asks before a secret that is shown once, and was not copied, is lost by leaving the page. */
export function SecretGuard({ isCopied }: { isCopied: boolean }) {
  return (
    <UnsavedGuard
      isDirty={!isCopied}
      title={t`Leave without copying?`}
      text={t`The secret is not copied and cannot be shown again. If you leave, it is lost.`}
    />
  )
}
