import { t } from '@lingui/core/macro'
import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { showDone } from '../show-done.ts'
import type { ValueDifference } from '../diff-values.ts'
import {
  checkFlag,
  createBody,
  emptyFlag,
  flagDifferences,
  type FlagErrors,
  type FlagForm,
  formOf,
  updateBody,
} from './flag-form.ts'
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

/** `theirs` is the version displayed in the conflict dialog; only that version may be overwritten. */
type Conflict = { error: ApiError; theirs: AdminFlag; changes: ValueDifference[] }

/** State of a new or edited flag. Values are kept after a failure; server errors are shown at their fields. */
export function useFlagForm(flag: AdminFlag | undefined, onSaved: () => void) {
  const element = useRef<HTMLFormElement>(null)
  const [form, setForm] = useState<FlagForm>(() => (flag === undefined ? emptyFlag : formOf(flag)))
  const [errors, setErrors] = useState<FlagErrors>({})
  const [isBusy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<Conflict>()

  function show(found: FlagErrors): void {
    setErrors(found)
    element.current?.querySelector<HTMLElement>(`[name="${Object.keys(found)[0]}"]`)?.focus()
  }

  /** Saves based on the edited version, or over the displayed version of another user. */
  async function save(version = flag?.version): Promise<void> {
    setBusy(true)
    try {
      const saved = await send(form, flag, version)
      onSaved()
      showDone(flag === undefined ? t`${saved.flag_key} is created` : t`${saved.flag_key} is saved`)
    } catch (error) {
      await showFailure(error)
    } finally {
      setBusy(false)
    }
  }

  async function showFailure(error: unknown): Promise<void> {
    try {
      if (flag === undefined || !isConflict(error)) throw error
      setConflict(await readTheirs(flag, error))
    } catch (cause) {
      setConflict(undefined)
      show(errorsOf(cause, flag === undefined ? t`Failed to create feature flag` : t`Failed to update feature flag`))
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isBusy) return
    const found = checkFlag(form)
    if (Object.keys(found).length > 0) show(found)
    else void save()
  }

  const change = (changed: Partial<FlagForm>): void => {
    setForm({ ...form, ...changed })
    setErrors({})
  }

  /** Attributes of a text field. */
  const text = (name: Exclude<keyof FlagForm, 'enabled' | 'is_public' | 'role'>) => ({
    name,
    value: form[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })

  const overwrite = (): Promise<void> => save(conflict?.theirs.version)
  return { element, form, change, text, errors, isBusy, submit, conflict, overwrite }
}

function send(form: FlagForm, flag: AdminFlag | undefined, version: number | undefined): Promise<AdminFlag> {
  if (flag === undefined) return createFlag(createBody(form))
  return updateFlag({ ...updateBody(form, flag), ...(version === undefined ? {} : { version }) })
}

async function readTheirs(flag: AdminFlag, error: ApiError): Promise<Conflict> {
  const theirs = await readFlagAgain(flag.id)
  if (theirs === undefined) {
    throw new ApiError({ status: 404, code: 'flag.not_found', message: t`This flag was removed in the meantime.` })
  }
  return { error, theirs, changes: flagDifferences(flag, theirs) }
}

/** Errors that the user can fix are shown with the server's text. */
function errorsOf(error: unknown, failed: string): FlagErrors {
  if (!(error instanceof ApiError)) return { form: failed }
  for (const field of FIELDS) {
    const message = error.messageFor(field)
    if (message !== undefined) return { [field]: message }
  }
  if (error.code === 'flag.exists') return { flag_key: error.message }
  return { form: error.status >= 400 && error.status < 500 ? `${failed}: ${error.message}` : failed }
}
