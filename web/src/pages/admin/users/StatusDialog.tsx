import type { AdminUser } from '@tapeline/contracts/identity/admin'
import { tellDone } from '../tell-done.ts'
import { ConfirmChange } from '../ConfirmChange.tsx'
import { changeUser } from './users.queries.ts'
import { statusEffects } from './what-changes.ts'

type StatusDialogProps = { user: AdminUser; isReader: boolean; onClose: () => void }

export function StatusDialog({ user, isReader, onClose }: StatusDialogProps) {
  const status = user.status === 'active' ? 'inactive' : 'active'
  const action = status === 'active' ? 'Activate' : 'Deactivate'
  return (
    <ConfirmChange
      title={`${action} ${user.email}`}
      action={action}
      failure="The status could not be changed. Please try again."
      effects={statusEffects(status, isReader)}
      isDangerous={status === 'inactive'}
      onConfirm={async () => {
        await changeUser({ userId: user.id, status })
        tellDone(`${user.email} is ${status}`)
      }}
      onClose={onClose}
    />
  )
}
