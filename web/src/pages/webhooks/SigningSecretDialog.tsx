import { t } from '@lingui/core/macro'
import type { WebhookWithSecret } from '@tapeline/contracts/audit/webhooks'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { SecretGuard } from '../SecretGuard.tsx'

/** The only time the signing secret is shown: the dialog stays until it was copied. */
export function SigningSecretDialog({ created, onClose }: { created: WebhookWithSecret; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const [reminder, setReminder] = useState<string>()
  function copied(failure?: string): void {
    setCopied(true)
    setReminder(failure)
  }
  const remind = (): void => setReminder(t`Copy the secret first: it cannot be shown again.`)
  return (
    <Dialog
      title={t`Signing secret of ${created.endpoint.name}`}
      lead={t`Your server uses it to verify that an event comes from Tapeline. It is shown only once.`}
      onClose={onClose}
      canClose={isCopied}
      onCloseRefused={remind}
      foot={
        <Button variant={isCopied ? 'primary' : undefined} isDisabled={!isCopied} onRefused={remind} onClick={onClose}>
          {t`Done`}
        </Button>
      }
    >
      <div className="command">
        <code data-testid="signing-secret">{created.secret}</code>
        <CopyButton
          text={created.secret}
          label={t`Copy the signing secret`}
          variant={isCopied ? undefined : 'primary'}
          onCopied={() => copied()}
          onFailed={() => copied(t`Failed to copy the secret. Select it and copy it manually.`)}
        >
          {t`Copy`}
        </CopyButton>
      </div>
      <p className="hint">{t`The clients verify events: verifyWebhook in TypeScript, verify_webhook in Python.`}</p>
      <div className="slot" role="alert">
        {reminder !== undefined && <FieldError>{reminder}</FieldError>}
      </div>
      <SecretGuard isCopied={isCopied} />
    </Dialog>
  )
}
