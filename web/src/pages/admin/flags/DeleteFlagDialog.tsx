import { plural, t } from '@lingui/core/macro'
import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '../../api-keys/ConfirmDialog.tsx'
import { showDone } from '../show-done.ts'
import { reachQuery, updateFlag } from './flags.queries.ts'

type DeleteFlagDialogProps = { flag: AdminFlag; onClose: () => void; onDeleted: () => void }

/** Nothing is lost: the row stays, switched off, and its history can bring it back. */
export function DeleteFlagDialog({ flag, onClose, onDeleted }: DeleteFlagDialogProps) {
  const { flag_key, role, rollout_percent } = flag
  const reach = useQuery(reachQuery({ flag_key, role, rollout_percent }))
  const lost =
    reach.data === undefined
      ? t`Accounts lose it on their next request.`
      : plural(reach.data.accounts, {
          one: '# account loses it on its next request.',
          other: '# accounts lose it on their next request.',
        })
  return (
    <ConfirmDialog
      title={t`Delete ${flag_key}`}
      text={t`Are you sure you want to delete this feature flag?`}
      impact={flag.enabled ? lost : t`It is off for everyone now.`}
      action={t`Delete`}
      failure={t`Failed to delete feature flag`}
      onConfirm={async () => {
        await updateFlag({ flagId: flag.id, is_active: false, enabled: false, version: flag.version })
        onDeleted()
        showDone(t`${flag_key} is deleted`)
      }}
      onClose={onClose}
    />
  )
}
