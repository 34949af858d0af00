import { msg, t } from '@lingui/core/macro'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import { useState } from 'react'
import { i18n } from '../../../language/i18n.ts'
import { ApiError } from '../../../api/api-error.ts'
import { showDone } from '../show-done.ts'
import type { FieldKind } from './tier-fields.ts'
import { editedTiers, type TierEdits, withEdit } from './tier-edits.ts'
import { readTiersAgain, replaceTiers } from './tiers.queries.ts'

type Typed = { pointer: string; kind: FieldKind; typed: string | boolean }
type Conflict = { error: ApiError; theirs: TierEdition }
const FAILURE = msg`The tiers could not be saved. Please try again.`

/** Changes of any number of tiers, saved together or not at all. */
export function useTierEdits(newest: TierEdition, proposed: TierEdits) {
  const [edits, setEdits] = useState(proposed)
  /** The version on which the edits are based; unchanged when others save. */
  const [base, setBase] = useState(Object.keys(proposed).length === 0 ? undefined : newest)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<Conflict>()
  const on = base ?? newest

  function type(typed: Typed): void {
    const next = withEdit(edits, on.tiers, typed)
    setEdits(next)
    setBase(Object.keys(next).length === 0 ? undefined : on)
    setErrors(Object.fromEntries(Object.entries(errors).filter(([pointer]) => pointer !== typed.pointer)))
  }

  function drop(): void {
    setEdits({})
    setBase(undefined)
    setErrors({})
    setConflict(undefined)
  }

  /** Rejected fields by their pointers; empty if all changes are valid. */
  async function save(reason: string, under = on): Promise<Record<string, string> | undefined> {
    setSaving(true)
    setConflict(undefined)
    try {
      const body = { tiers: editedTiers(under.tiers, edits), version: under.version }
      const { version } = await replaceTiers(reason.trim() === '' ? body : { ...body, reason: reason.trim() })
      drop()
      showDone(t`The tiers are saved as version ${version}`)
      return undefined
    } catch (error) {
      const found = await conflictOf(error)
      if ('theirs' in found) {
        setConflict(found)
        return {}
      }
      const refused = refusedFields(found.cause)
      setErrors(refused)
      return refused
    } finally {
      setSaving(false)
    }
  }

  /** Saves the user's changes over the displayed version of another user, not over a newer one. */
  async function keepMine(reason: string): Promise<Record<string, string> | undefined> {
    if (conflict === undefined) return {}
    setBase(conflict.theirs)
    return save(reason, conflict.theirs)
  }

  return { on, edits, type, drop, errors, isSaving, save, conflict, keepMine }
}

/** Another user's version if it is the reason for the error; otherwise what failed. */
async function conflictOf(error: unknown): Promise<Conflict | { cause: unknown }> {
  if (!(error instanceof ApiError) || error.code !== 'tier.changed_meanwhile') return { cause: error }
  try {
    return { error, theirs: await readTiersAgain() }
  } catch (cause) {
    return { cause }
  }
}

/** Pointers into the documents; other errors are shown for the whole form. */
export function refusedFields(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return { form: i18n._(FAILURE) }
  const fields = error.errors.flatMap(({ field, message }) =>
    field.startsWith('/tiers/') ? [[field.slice('/tiers'.length), message]] : [],
  )
  return fields.length > 0 ? Object.fromEntries(fields) : { form: error.message }
}
