import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../../format/number.ts'
import { ConfirmDialog } from '../../api-keys/ConfirmDialog.tsx'
import { reachQuery, updateFlag } from './flags.queries.ts'

type DeleteFlagDialogProps = { flag: AdminFlag; onClose: () => void; onDeleted: () => void }

/** Nothing is lost: the row stays, switched off, and its history can bring it back. */
export function DeleteFlagDialog({ flag, onClose, onDeleted }: DeleteFlagDialogProps) {
  const { flag_key, role, rollout_percent } = flag
  const reach = useQuery(reachQuery({ flag_key, role, rollout_percent }))
  const accounts = reach.data === undefined ? 'Accounts' : `${formatCount(reach.data.accounts)} accounts`
  return (
    <ConfirmDialog
      title={`Delete ${flag_key}`}
      text="Are you sure you want to delete this feature flag?"
      impact={flag.enabled ? `${accounts} lose it with their next request.` : 'It is off: nobody has it now.'}
      action="Delete"
      failure="Failed to delete feature flag"
      done={`${flag_key} is deleted`}
      onConfirm={async () => {
        await updateFlag({ flagId: flag.id, is_active: false, enabled: false, version: flag.version })
        onDeleted()
      }}
      onClose={onClose}
    />
  )
}
