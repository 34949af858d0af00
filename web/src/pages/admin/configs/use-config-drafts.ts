import type { FailedConfig, GlobalConfigs } from '@tapeline/contracts/config/global-configs'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { tellDone } from '../tell-done.ts'
import { checkJson, writeJson } from './check-json.ts'
import { readConfigsAgain, saveConfigs } from './configs.queries.ts'

/** What is being typed of a configuration, and what it was made of. */
export type Draft = { text: string; base: { id: string | null; version: number; value: unknown }; failure?: string }
export type Drafts = Record<string, Draft>

/** Edits of any number of configurations: each is stored or fails by itself. */
export function useConfigDrafts(configs: GlobalConfigs | undefined) {
  const { drafts, edit, type, drop, fail } = useDrafts(configs)
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<{ keys: string[]; error: ApiError }>()

  async function save(keys: readonly string[], bases?: GlobalConfigs): Promise<void> {
    const updates = keys.flatMap((key) => {
      const draft = drafts[key]
      const json = draft && checkJson(draft.text)
      if (draft === undefined || json?.ok !== true) return []
      const { id, version } = bases?.[key] ?? draft.base
      return [{ id, key, value: json.value, version }]
    })
    if (updates.length === 0) return
    setSaving(true)
    setConflict(undefined)
    try {
      const { updated, failed } = await saveConfigs(updates)
      drop(updated.map(({ key }) => key))
      fail(Object.fromEntries(failed.map((one) => [one.key, toldOf(one)])))
      if (updated.length > 0) tellDone(`${updated.length} updated, ${failed.length} failed`)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'global_config.changed_meanwhile') {
        setConflict({ keys: updates.map(({ key }) => key), error })
      } else fail(Object.fromEntries(updates.map(({ key }) => [key, brokenBy(error)])))
    }
    setSaving(false)
  }

  async function takeTheirs(): Promise<void> {
    drop(conflict?.keys ?? [])
    setConflict(undefined)
    await readConfigsAgain()
  }

  return {
    drafts,
    edit,
    type,
    drop,
    save,
    isSaving,
    conflict,
    takeTheirs,
    keepMine: async () => save(conflict?.keys ?? [], await readConfigsAgain()),
  }
}

function useDrafts(configs: GlobalConfigs | undefined) {
  const [drafts, setDrafts] = useState<Drafts>({})

  const edit = (key: string): void => {
    const config = configs?.[key]
    if (config === undefined) return
    const { id, version, value } = config
    setDrafts((before) => ({ ...before, [key]: { text: writeJson(value), base: { id, version, value } } }))
  }
  const type = (key: string, text: string): void =>
    setDrafts((before) => {
      const draft = before[key]
      return draft === undefined ? before : { ...before, [key]: { text, base: draft.base } }
    })
  const drop = (keys: readonly string[]): void =>
    setDrafts((before) => Object.fromEntries(Object.entries(before).filter(([key]) => !keys.includes(key))))
  const fail = (failures: Readonly<Record<string, string>>): void =>
    setDrafts((before) =>
      Object.fromEntries(
        Object.entries(before).map(([key, draft]) => {
          const failure = failures[key]
          return [key, failure === undefined ? draft : { ...draft, failure }]
        }),
      ),
    )
  return { drafts, edit, type, drop, fail }
}

/** Of one that was refused while others were stored. */
function toldOf({ error }: FailedConfig): string {
  return `Update failed: ${error || 'Unknown error'}`
}

/** The server said no to all of it, or did not answer. */
export function brokenBy(error: unknown): string {
  if (error instanceof ApiError && error.status > 0) return `Failed to update configuration. ${error.message}`
  return `Error updating configuration: ${error instanceof Error ? error.message : 'Unknown error'}`
}
