import { t } from '@lingui/core/macro'
import type { AdminUser } from '@tapeline/contracts/identity/admin'
import { showDone } from '../show-done.ts'
import { ConfirmChange } from '../ConfirmChange.tsx'
import { changeUser } from './users.queries.ts'
import { statusEffects } from './what-changes.ts'

type StatusDialogProps = { user: AdminUser; isReader: boolean; onClose: () => void }

export function StatusDialog({ user, isReader, onClose }: StatusDialogProps) {
  const status = user.status === 'active' ? 'inactive' : 'active'
  const action = status === 'active' ? t`Activate` : t`Deactivate`
  return (
    <ConfirmChange
      title={`${action} ${user.email}`}
      action={action}
      failure={t`The status could not be changed. Please try again.`}
      effects={statusEffects(status, isReader)}
      isDangerous={status === 'inactive'}
      onConfirm={async () => {
        await changeUser({ userId: user.id, status })
        showDone(status === 'active' ? t`${user.email} is active` : t`${user.email} is inactive`)
      }}
      onClose={onClose}
    />
  )
}
