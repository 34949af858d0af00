import { t } from '@lingui/core/macro'
import { OctagonX } from 'lucide-react'
import { type ReactNode, useId } from 'react'

/** Attributes for the control, so that label, hint and error are associated with it. */
export type FieldControl = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type FieldProps = {
  label: ReactNode
  children: (control: FieldControl) => ReactNode
  error?: string | undefined
  /** Shown under the control while there is no error. */
  hint?: ReactNode
  isOptional?: boolean
  /** Shown at the right end of the label's line. */
  action?: ReactNode
}

export function Field({ label, children, error, hint, isOptional = false, action }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const hasNote = error !== undefined || hint !== undefined
  return (
    <div className="field">
      <div className="row">
        <label className="label" htmlFor={id}>
          {label} {isOptional && <span className="optional">{t`optional`}</span>}
        </label>
        {action !== undefined && <span className="end">{action}</span>}
      </div>
      {children({
        id,
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      <div id={noteId} className="field-note">
        {error !== undefined && <FieldError>{error}</FieldError>}
        {error === undefined && hint !== undefined && <div className="hint">{hint}</div>}
      </div>
    </div>
  )
}

export function FieldError({ children }: { children: ReactNode }) {
  return (
    <p className="error">
      <OctagonX className="icon" aria-hidden="true" />
      {children}
    </p>
  )
}
