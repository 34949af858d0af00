import { t } from '@lingui/core/macro'
import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FieldError } from '../../ui/Field.tsx'

type FormDialogProps = {
  title: string
  lead?: ReactNode
  action: string
  isDangerous?: boolean
  /** False while nothing was changed. */
  canSubmit?: boolean
  isBusy: boolean
  error: string | undefined
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
  children: ReactNode
}

/** A dialog that is a form: its fields, an error of the whole, and the two buttons. */
export function FormDialog(props: FormDialogProps) {
  const formId = useId()
  const { title, lead, action, isDangerous = false, canSubmit = true, isBusy, error, onSubmit, onClose } = props
  return (
    <Dialog
      title={title}
      lead={lead}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button
            variant={isDangerous ? 'danger' : 'primary'}
            type="submit"
            form={formId}
            isBusy={isBusy}
            isDisabled={!canSubmit}
          >
            {action}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t`Cancel`}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack wide" noValidate onSubmit={onSubmit}>
        {props.children}
        <div className="slot" role="alert">
          {error !== undefined && <FieldError>{error}</FieldError>}
        </div>
      </form>
    </Dialog>
  )
}
