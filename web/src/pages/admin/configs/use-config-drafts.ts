import { msg, plural, t } from '@lingui/core/macro'
import type { GlobalConfigs, UpdatedConfigs } from '@tapeline/contracts/config/global-configs'
import { useState } from 'react'
import { i18n } from '../../../language/i18n.ts'
import { ApiError } from '../../../api/api-error.ts'
import { showDone } from '../show-done.ts'
import {
  applyAnswer,
  type Base,
  differencesTo,
  type Drafts,
  isOutdated,
  newDraft,
  outdatedKeys,
  type Sent,
  sentOf,
  shownOf,
  withFailures,
  withoutDrafts,
} from './config-drafts.ts'
import { readConfigsAgain, saveConfigs } from './configs.queries.ts'

const LEFT_OVER = msg`Not saved: another configuration of the same save was changed in the meantime.`

/** `shown` is the version displayed in the conflict dialog; only that version may be overwritten. */
type Conflict = { keys: string[]; error: ApiError; shown: Readonly<Record<string, Base>> }

/** Edits of any number of configurations: each is stored or rejected individually. */
export function useConfigDrafts(configs: GlobalConfigs | undefined) {
  const { drafts, edit, type, drop, fail, follow } = useDrafts(configs)
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<Conflict>()

  async function save(keys: readonly string[], shown?: Conflict['shown']): Promise<void> {
    const sent = sentOf(drafts, keys, shown)
    if (sent.length === 0) return
    setSaving(true)
    try {
      const answer = await saveConfigs(sent.map(({ update }) => update))
      follow(sent, answer)
      const { updated, failed } = answer
      if (updated.length > 0) showDone(outcomeOf(updated.length, failed.length))
      const [first, ...others] = failed.filter(isOutdated)
      if (first === undefined) setConflict(undefined)
      else
        await showConflict(
          [first, ...others].map(({ key }) => key),
          conflictError(first),
        )
    } catch (error) {
      await showFailure(error, sent)
    } finally {
      setSaving(false)
    }
  }

  async function showFailure(error: unknown, sent: readonly Sent[]): Promise<void> {
    const all = sent.map(({ update }) => update.key)
    const outdated = error instanceof ApiError && isOutdated(error) ? outdatedKeys(error.errors, sent) : []
    if (error instanceof ApiError && outdated.length > 0) {
      fail(
        all.filter((key) => !outdated.includes(key)),
        i18n._(LEFT_OVER),
      )
      return showConflict(outdated, error)
    }
    setConflict(undefined)
    fail(all, brokenBy(error))
  }

  async function showConflict(keys: string[], error: ApiError): Promise<void> {
    try {
      setConflict({ keys, error, shown: shownOf(keys, await readConfigsAgain()) })
    } catch (cause) {
      setConflict(undefined)
      fail(keys, brokenBy(cause))
    }
  }

  function takeTheirs(): void {
    drop(conflict?.keys ?? [])
    setConflict(undefined)
  }

  const shownConflict = conflict && { ...conflict, changes: differencesTo(drafts, conflict.shown) }
  const keepMine = (): Promise<void> => save(conflict?.keys ?? [], conflict?.shown)
  return { drafts, edit, type, drop, save, isSaving, conflict: shownConflict, takeTheirs, keepMine }
}

function useDrafts(configs: GlobalConfigs | undefined) {
  const [drafts, setDrafts] = useState<Drafts>({})
  return {
    drafts,
    edit: (key: string): void => {
      const config = configs?.[key]
      if (config !== undefined) setDrafts((before) => ({ ...before, [key]: newDraft(config) }))
    },
    type: (key: string, text: string): void =>
      setDrafts((before) => {
        const draft = before[key]
        return draft === undefined ? before : { ...before, [key]: { text, base: draft.base } }
      }),
    drop: (keys: readonly string[]): void => setDrafts((before) => withoutDrafts(before, keys)),
    fail: (keys: readonly string[], failure: string): void =>
      setDrafts((before) => withFailures(before, Object.fromEntries(keys.map((key) => [key, failure])))),
    follow: (sent: readonly Sent[], answer: UpdatedConfigs): void =>
      setDrafts((before) => applyAnswer(before, sent, answer)),
  }
}

function outcomeOf(updated: number, failed: number): string {
  return t`${plural(updated, { one: '# updated', other: '# updated' })}, ${failed} failed`
}

function conflictError({ error, code }: { error: string; code: string }): ApiError {
  return new ApiError({ status: 409, code, message: error })
}

/** The server rejected the whole request, or did not respond. */
export function brokenBy(error: unknown): string {
  if (error instanceof ApiError && error.status > 0) return t`Failed to update configuration. ${error.message}`
  return t`Error updating configuration: ${error instanceof Error ? error.message : t`Unknown error`}`
}
