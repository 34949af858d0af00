import { t } from '@lingui/core/macro'
import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { showToast } from '../../../ui/toasts/Toasts.tsx'
import { showDone } from '../show-done.ts'
import { showSwitched, updateFlag } from './flags.queries.ts'

type Conflict = { flag: AdminFlag; error: ApiError }

/** Switches optimistically, and back if the server rejects the change. */
export function useFlagSwitch() {
  const [conflict, setConflict] = useState<Conflict>()
  /** Flags whose change is being sent: a second one would carry the version before it. */
  const [busyIds, setBusyIds] = useState<readonly string[]>([])

  async function flip(flag: AdminFlag): Promise<void> {
    setBusyIds((ids) => [...ids, flag.id])
    await change(flag)
    setBusyIds((ids) => ids.filter((id) => id !== flag.id))
  }

  async function change(flag: AdminFlag): Promise<void> {
    const enabled = !flag.enabled
    const revert = await showSwitched(flag.id, enabled)
    try {
      await updateFlag({ flagId: flag.id, enabled, version: flag.version })
      showDone(enabled ? t`${flag.flag_key} is on` : t`${flag.flag_key} is off`)
    } catch (error) {
      revert()
      if (isConflict(error)) return setConflict({ flag, error })
      const because = error instanceof Error ? error.message : ''
      showToast({ type: 'error', title: t`Failed to update feature flag`, message: `${flag.flag_key}: ${because}` })
    }
  }

  return { flip, busyIds, conflict, dropConflict: () => setConflict(undefined) }
}

export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'flag.changed_meanwhile'
}
