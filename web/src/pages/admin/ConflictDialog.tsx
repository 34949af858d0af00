import { useState } from 'react'
import type { ApiError } from '../../api/api-error.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

type ConflictDialogProps = {
  /** What was changed. */
  name: string
  conflict: ApiError
  /** Gives up the own change and shows what is there now. */
  onTakeTheirs: () => void
  /** Saves the own change over what is there now, after it was read. */
  onKeepMine?: () => Promise<void>
}

/** Somebody else was first: what they made of it, and what the reader may do. */
export function ConflictDialog({ name, conflict, onTakeTheirs, onKeepMine }: ConflictDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [told, ...changes] = conflict.errors
  return (
    <Dialog
      title={`${name} was changed meanwhile`}
      onClose={onTakeTheirs}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" onClick={onTakeTheirs} isDisabled={isBusy}>
            Show what is there now
          </Button>
          {onKeepMine !== undefined && (
            <Button
              isBusy={isBusy}
              onClick={() => {
                setBusy(true)
                void onKeepMine()
              }}
            >
              Save mine over it
            </Button>
          )}
        </>
      }
    >
      <p>{told?.message ?? conflict.message}</p>
      <ul className="changes">
        {changes.map(({ field, message }) => (
          <li key={field} className="mono">
            {message}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
