import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { tellDone } from '../tell-done.ts'
import { checkFlag, createBody, emptyFlag, type FlagErrors, type FlagForm, formOf, updateBody } from './flag-form.ts'
import { createFlag, readFlagAgain, updateFlag } from './flags.queries.ts'
import { isConflict } from './use-flag-switch.ts'

const FIELDS = [
  'flag_key',
  'role',
  'description',
  'rollout_percent',
  'enabled_from',
  'enabled_until',
  'reason',
] as const

/** A new flag, or changes of one. Values are kept after a failure; a server's error stands at its field. */
export function useFlagForm(flag: AdminFlag | undefined, onSaved: () => void) {
  const element = useRef<HTMLFormElement>(null)
  const [form, setForm] = useState<FlagForm>(() => (flag === undefined ? emptyFlag : formOf(flag)))
  const [errors, setErrors] = useState<FlagErrors>({})
  const [isBusy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<ApiError>()

  function show(found: FlagErrors): void {
    setErrors(found)
    const [first] = Object.keys(found)
    element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  /** With a version, over what is there under it. */
  async function save(version = flag?.version): Promise<void> {
    setBusy(true)
    setConflict(undefined)
    try {
      const saved =
        flag === undefined
          ? await createFlag(createBody(form))
          : await updateFlag({ ...updateBody(form, flag), ...(version === undefined ? {} : { version }) })
      onSaved()
      tellDone(`${saved.flag_key} is ${flag === undefined ? 'created' : 'saved'}`)
    } catch (error) {
      setBusy(false)
      if (isConflict(error)) setConflict(error)
      else show(errorsOf(error, flag === undefined ? 'Failed to create feature flag' : 'Failed to update feature flag'))
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isBusy) return
    const found = checkFlag(form)
    if (Object.keys(found).length > 0) show(found)
    else void save()
  }

  function change(changed: Partial<FlagForm>): void {
    setForm({ ...form, ...changed })
    setErrors({})
  }

  /** What a field for text carries. */
  const text = (name: Exclude<keyof FlagForm, 'enabled' | 'is_public' | 'role'>) => ({
    name,
    value: form[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })

  async function saveOver(): Promise<void> {
    const current = flag && (await readFlagAgain(flag.id))
    if (current === undefined) return onSaved()
    await save(current.version)
  }

  return { element, form, change, text, errors, isBusy, submit, conflict, saveOver }
}

/** What the person can mend is said as the server says it. */
function errorsOf(error: unknown, failed: string): FlagErrors {
  if (!(error instanceof ApiError)) return { form: failed }
  for (const field of FIELDS) {
    const message = error.messageFor(field)
    if (message !== undefined) return { [field]: message }
  }
  if (error.code === 'flag.exists') return { flag_key: error.message }
  return { form: error.status >= 400 && error.status < 500 ? `${failed}: ${error.message}` : failed }
}
