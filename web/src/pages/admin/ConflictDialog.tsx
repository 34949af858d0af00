import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { ApiError } from '../../api/api-error.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { Differences } from './Differences.tsx'
import type { ValueDifference } from './diff-values.ts'

type ConflictDialogProps = {
  /** Name of the changed object. */
  name: string
  conflict: ApiError
  /** Differences between the edited version and the current one; without them, the server's message. */
  changes?: readonly ValueDifference[]
  /** Discards the user's change and shows the current version. */
  onTakeTheirs: () => void
  /** Saves the user's change over the shown version, not over a newer one. */
  onKeepMine?: () => Promise<void>
}

/** Another admin saved first: shows that change and the reader's choices. */
export function ConflictDialog({ name, conflict, changes, onTakeTheirs, onKeepMine }: ConflictDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [first] = conflict.errors

  async function keepMine(): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      await onKeepMine?.()
    } catch (error) {
      setFailure(error instanceof Error ? error.message : t`That did not work. Please try again.`)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={t`${name} was changed in the meantime`}
      onClose={onTakeTheirs}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" onClick={onTakeTheirs} isDisabled={isBusy}>
            {t`Show the current version`}
          </Button>
          {onKeepMine !== undefined && (
            <Button isBusy={isBusy} onClick={() => void keepMine()}>
              {t`Overwrite with mine`}
            </Button>
          )}
        </>
      }
    >
      <p>{first?.message ?? conflict.message}</p>
      <div aria-live="polite">
        {changes === undefined ? <ConflictMessage conflict={conflict} /> : <Differences changes={changes} />}
      </div>
      <div className="slot" role="alert">
        {failure !== undefined && <FieldError>{failure}</FieldError>}
      </div>
    </Dialog>
  )
}

function ConflictMessage({ conflict }: { conflict: ApiError }) {
  const [, ...changes] = conflict.errors
  return (
    <ul className="changes">
      {changes.map(({ field, message }) => (
        <li key={field} className="mono">
          {message}
        </li>
      ))}
    </ul>
  )
}
