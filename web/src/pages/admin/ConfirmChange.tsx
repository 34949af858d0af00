import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FieldError } from '../../ui/Field.tsx'

type ConfirmChangeProps = {
  title: string
  action: string
  /** Shown when the server did not answer; for a rejection its own message is shown. */
  failure: string
  /** Immediate effects of the change. */
  effects: readonly string[]
  isChanged?: boolean
  isDangerous: boolean
  onConfirm: () => Promise<void>
  onClose: () => void
  children?: ReactNode
}

export function ConfirmChange({ isChanged = true, isDangerous, onConfirm, onClose, ...shown }: ConfirmChangeProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function confirm(): Promise<void> {
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (cause) {
      const isRefused = cause instanceof ApiError && cause.status >= 400 && cause.status < 500
      setError(isRefused ? cause.message : shown.failure)
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={shown.title}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button
            variant={isDangerous ? 'danger' : 'primary'}
            isBusy={isBusy}
            isDisabled={!isChanged}
            onClick={() => void confirm()}
          >
            {shown.action}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t`Cancel`}
          </Button>
        </>
      }
    >
      {shown.children}
      <ul className="effects" aria-live="polite">
        {shown.effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <div className="slot" role="alert">
        {error !== undefined && <FieldError>{error}</FieldError>}
      </div>
    </Dialog>
  )
}
