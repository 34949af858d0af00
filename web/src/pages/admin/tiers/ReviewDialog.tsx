import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldError } from '../../../ui/Field.tsx'
import { ConflictDialog } from '../ConflictDialog.tsx'
import { diffValues } from '../diff-values.ts'
import { WhyField } from '../WhyField.tsx'
import { AccountsTouched } from './AccountsTouched.tsx'
import { limitWarnings } from './limit-warnings.ts'
import { editedTiers } from './tier-edits.ts'
import { TierDifferences } from './TierDifferences.tsx'
import type { useTierEdits } from './use-tier-edits.ts'

type ReviewDialogProps = {
  editing: ReturnType<typeof useTierEdits>
  onClose: () => void
  /** The server rejected fields; the errors are shown at the fields. */
  onRefused: (refused: Readonly<Record<string, string>>) => void
}

/** Shows the effects of a change before it is saved. */
export function ReviewDialog({ editing, onClose, onRefused }: ReviewDialogProps) {
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const { on, edits, isSaving, conflict } = editing
  const changes = diffValues(on.tiers, editedTiers(on.tiers, edits))

  function after(refused: Readonly<Record<string, string>> | undefined): void {
    if (refused === undefined) return onClose()
    if (Object.keys(refused).length === 0) return
    if (refused['form'] === undefined) onRefused(refused)
    else setError(refused['form'])
  }

  return (
    <Dialog
      title={t`Save the tiers`}
      onClose={onClose}
      canClose={!isSaving}
      foot={
        <>
          <Button variant="primary" isBusy={isSaving} onClick={() => void editing.save(reason).then(after)}>
            {t`Save tiers`}
          </Button>
          <Button onClick={onClose} isDisabled={isSaving}>
            {t`Cancel`}
          </Button>
        </>
      }
    >
      <TierDifferences changes={changes} tiers={on.tiers} />
      {Object.entries(limitWarnings(on.tiers, edits)).map(([pointer, warning]) => (
        <FieldError key={pointer}>{warning}</FieldError>
      ))}
      <ul className="effects">
        <AccountsTouched edition={on} changes={changes} />
        <li>{t`Every gateway enforces it within a second; the pricing page follows.`}</li>
        <li>{t`Usage counters are kept. Accounts with custom limits keep them.`}</li>
      </ul>
      <WhyField hint={t`Kept in the history.`} value={reason} onType={setReason} />
      <div className="slot" role="alert">
        {error !== undefined && <FieldError>{error}</FieldError>}
      </div>
      {conflict !== undefined && (
        <ConflictDialog
          name={t`The list of tiers`}
          conflict={conflict.error}
          changes={diffValues(on.tiers, conflict.theirs.tiers)}
          onTakeTheirs={() => {
            onClose()
            editing.drop()
          }}
          onKeepMine={async () => after(await editing.keepMine(reason))}
        />
      )}
    </Dialog>
  )
}
