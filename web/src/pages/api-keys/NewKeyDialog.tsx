import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useUser } from '../../session/use-session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { createKey } from './api-keys.queries.ts'

const CREATE_FAILED = 'Failed to create API key. Please try again.'
const NAME_LENGTH_MAX = 80
const DESCRIPTION_LENGTH_MAX = 500
const FORM_ID = 'new-key'

type Errors = {
  name?: string | undefined
  description?: string | undefined
  expires_at?: string | undefined
  form?: string | undefined
}

export function NewKeyDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void
  onCreated: (created: CreatedKey) => void
}) {
  const user = useUser()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState({ name: '', description: '', expires_at: '' })
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)

  function show(found: Errors): void {
    setErrors(found)
    const [first] = Object.keys(found)
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    if (values.name.trim() === '') return show({ name: 'Give the key a name' })
    setBusy(true)
    try {
      onCreated(
        await createKey({
          name: values.name.trim(),
          ...(values.description.trim() === '' ? {} : { description: values.description.trim() }),
          ...(values.expires_at === '' ? {} : { expires_at: values.expires_at }),
        }),
      )
    } catch (error) {
      setBusy(false)
      show(errorsOf(error))
    }
  }

  const input = (name: keyof typeof values) => ({
    name,
    value: values[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      setValues({ ...values, [name]: event.currentTarget.value })
      setErrors({ ...errors, [name]: undefined })
    },
  })

  return (
    <Dialog
      title="Create API Key"
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" type="submit" form={FORM_ID} isBusy={isBusy}>
            Create API Key
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <form id={FORM_ID} ref={form} className="stack wide" onSubmit={(event) => void create(event)} noValidate>
        <Field label="Key Name" error={errors.name}>
          {(control) => (
            <Input {...control} {...input('name')} autoFocus required maxLength={NAME_LENGTH_MAX} autoComplete="off" />
          )}
        </Field>
        <Field label="Description" isOptional error={errors.description}>
          {(control) => (
            <Input
              {...control}
              {...input('description')}
              maxLength={DESCRIPTION_LENGTH_MAX}
              placeholder="What uses it, and where"
              autoComplete="off"
            />
          )}
        </Field>
        <Field
          label="Expiration Date"
          isOptional
          error={errors.expires_at}
          hint="It works until the end of that day, UTC. Without a date it does not expire."
        >
          {(control) => <Input {...control} {...input('expires_at')} type="date" className="mono" />}
        </Field>
        <p className="hint">
          Rate limits follow your subscription tier ({user.subscriptionTier}) and are shared by all keys of your
          account.
        </p>
        <div className="slot" role="alert">
          {errors.form !== undefined && <FieldError>{errors.form}</FieldError>}
        </div>
      </form>
    </Dialog>
  )
}

/** A server's error belongs to its field; what the person cannot mend reads as specified. */
function errorsOf(error: unknown): Errors {
  if (!(error instanceof ApiError)) return { form: CREATE_FAILED }
  for (const field of ['name', 'description', 'expires_at'] as const) {
    const message = error.messageFor(field)
    if (message !== undefined) return { [field]: message }
  }
  return { form: error.status === 403 ? error.message : CREATE_FAILED }
}
