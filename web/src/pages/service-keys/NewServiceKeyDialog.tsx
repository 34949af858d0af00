import { t } from '@lingui/core/macro'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { createKey } from '../api-keys/send-key-changes.ts'
import { creationBody, type KeyForm } from '../api-keys/key-form.ts'
import { TagsFields } from '../api-keys/many/TagsFields.tsx'
import { NameAndExpiry, ScopesAndNetworks } from '../api-keys/KeyFields.tsx'
import type { HeldSecret } from '../api-keys/new-key/hold-secret.ts'
import { type KeyFormErrors, keyFormErrors } from '../api-keys/use-edit-key.ts'
import { focusField } from '../focus-field.ts'

const FORM_ID = 'new-service-key'
const EMPTY: KeyForm = { name: '', description: '', expires_at: '', networks: '', scopes: [], tags: '', owner_note: '' }

type NewServiceKeyDialogProps = { onClose: () => void; onCreated: (secret: HeldSecret) => void }

/** Values are kept after a failure; server errors are shown at their fields. */
function useNewServiceKey(onCreated: (secret: HeldSecret) => void) {
  const [form, setForm] = useState<KeyForm>(EMPTY)
  const [errors, setErrors] = useState<KeyFormErrors>({})
  const [isBusy, setBusy] = useState(false)

  function show(element: HTMLFormElement, found: KeyFormErrors): void {
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) focusField(element, first)
  }

  async function create(element: HTMLFormElement): Promise<void> {
    setBusy(true)
    try {
      onCreated(await createKey({ ...creationBody(form), kind: 'service' }))
    } catch (error) {
      setBusy(false)
      show(element, keyFormErrors(error, t`Failed to create the service key. Please try again.`))
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (isBusy) return
    const missing: KeyFormErrors = {
      ...(form.name.trim() === '' ? { name: t`Give the key a name` } : {}),
      ...(form.scopes.length === 0 ? { scopes: t`Choose at least one` } : {}),
    }
    if (Object.keys(missing).length > 0) show(event.currentTarget, missing)
    else void create(event.currentTarget)
  }

  function change(changed: Partial<KeyForm>): void {
    setForm({ ...form, ...changed })
    setErrors({})
  }

  return { fields: { form, change, errors }, problem: errors.form, isBusy, submit }
}

export function NewServiceKeyDialog({ onClose, onCreated }: NewServiceKeyDialogProps) {
  const { fields, problem, isBusy, submit } = useNewServiceKey(onCreated)
  return (
    <Dialog
      title={t`Create Service Key`}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" type="submit" form={FORM_ID} isBusy={isBusy}>
            {t`Create Service Key`}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t`Cancel`}
          </Button>
        </>
      }
    >
      <form id={FORM_ID} className="stack wide" onSubmit={submit} noValidate>
        <NameAndExpiry {...fields} />
        <TagsFields {...fields} />
        <ScopesAndNetworks {...fields} kind="service" />
        <div className="slot" role="alert">
          {problem !== undefined && <FieldError>{problem}</FieldError>}
        </div>
      </form>
    </Dialog>
  )
}
