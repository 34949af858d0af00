import { msg, t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { i18n } from '../../../language/i18n.ts'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldError } from '../../../ui/Field.tsx'
import { SecretGuard } from '../../SecretGuard.tsx'
import type { HeldSecret } from './hold-secret.ts'
import { TestSecret } from './TestSecret.tsx'
import { TryKey } from './TryKey.tsx'

const CONFIRM_MS = 1_500
const COPY_FIRST = msg`Copy the key first: it cannot be shown again.`
const COPY_FAILED = msg`Failed to copy API key to clipboard.`
const COPY_BY_HAND = msg`Select it and copy it manually.`

/** The only time that the full key is shown: the dialog cannot be closed before the key was copied. */
export function SecretOnceDialog({ secret, onClose }: { secret: HeldSecret; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const [reminder, setReminder] = useState<string>()
  const isService = secret.key.kind === 'service'
  const remind = () => setReminder(i18n._(COPY_FIRST))

  function copied(problem?: string): void {
    setCopied(true)
    setReminder(problem)
  }

  const afterCopy = reminder === i18n._(COPY_FAILED) ? i18n._(COPY_BY_HAND) : t`Store it like a password.`
  const hint = isCopied ? afterCopy : t`Copy the key to continue.`
  const foot = (
    <>
      <Button
        variant={isCopied ? 'primary' : undefined}
        isDisabled={!isCopied}
        onRefused={remind}
        onClick={onClose}
        aria-describedby="copy-first"
      >
        {t`Done`}
      </Button>
      <span id="copy-first" className="muted small">
        {hint}
      </span>
    </>
  )
  return (
    <Dialog
      title={isService ? t`Service key created` : t`API Key Created`}
      lead={t`${secret.key.name} is active. The full key is shown only this once.`}
      onClose={onClose}
      canClose={isCopied}
      onCloseRefused={remind}
      foot={foot}
    >
      <Secret secret={secret} isCopied={isCopied} onCopied={copied} />
      <SecretGuard isCopied={isCopied} />
      {!isService && <TestSecret secret={secret} />}
      <p className="hint">{t`We keep only a hash of it. If it is lost, regenerate the key: same name, same history.`}</p>
      <div className="slot" role="alert">
        {reminder !== undefined && <FieldError>{reminder}</FieldError>}
      </div>
    </Dialog>
  )
}

type SecretProps = { secret: HeldSecret; isCopied: boolean; onCopied: (problem?: string) => void }

/** The key is written into the DOM and removed from it directly, so that React never stores it. */
function Secret({ secret, isCopied, onCopied }: SecretProps) {
  const shown = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = shown.current
    if (element !== null) element.textContent = secret.read()
    return () => {
      if (element !== null) element.textContent = ''
    }
  }, [secret])
  return (
    <>
      <div className="field">
        <span className="label">{t`API key`}</span>
        <div className="command secret-once">
          <code data-testid="secret" ref={shown} />
          <CopyButton
            text={secret.read}
            label={t`Copy API key`}
            variant={isCopied ? undefined : 'primary'}
            confirmMs={CONFIRM_MS}
            onCopied={() => onCopied()}
            onFailed={() => onCopied(i18n._(COPY_FAILED))}
          >
            {t`Copy`}
          </CopyButton>
        </div>
      </div>
      <TryKey secret={secret} onCopied={onCopied} />
    </>
  )
}
