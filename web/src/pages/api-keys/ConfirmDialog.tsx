import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'

type ConfirmDialogProps = {
  title: string
  text: string
  /** Effects of the action. */
  impact: ReactNode
  action: string
  /** Label of the button that closes without the action; not "Cancel" if the action itself cancels something. */
  keep?: string
  failure: string
  variant?: 'danger' | 'primary'
  /** Toast after it worked. */
  done?: string
  onConfirm: () => Promise<void>
  onClose: () => void
  /** Choices made before confirming. */
  children?: ReactNode
}

export function ConfirmDialog({
  title,
  text,
  impact,
  action,
  keep = t`Cancel`,
  failure,
  done,
  onConfirm,
  onClose,
  variant = 'danger',
  children,
}: ConfirmDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<{ reason: string | undefined }>()

  async function confirm(): Promise<void> {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
      if (done !== undefined) showToast({ type: 'success', title: done })
    } catch (cause) {
      setRefusal({ reason: reasonOf(cause) })
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button variant={variant} isBusy={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {keep}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <p className="muted">{impact}</p>
      {children}
      <div className="slot" role="alert">
        {refusal !== undefined && <FieldError>{failure}</FieldError>}
        {refusal?.reason !== undefined && <p className="muted">{refusal.reason}</p>}
      </div>
    </Dialog>
  )
}

/** The server's reason for rejecting the action; none if it did not answer. */
function reasonOf(cause: unknown): string | undefined {
  return cause instanceof ApiError && cause.status !== 0 && cause.status < 500 ? cause.message : undefined
}
