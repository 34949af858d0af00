import { t } from '@lingui/core/macro'
import type { AdminUser } from '@tapeline/contracts/identity/admin'
import { useState } from 'react'
import { roleName } from '../../../session/role-names.ts'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Input.tsx'
import { showDone } from '../show-done.ts'
import { ConfirmChange } from '../ConfirmChange.tsx'
import { ROLE_CHOICES } from './users-filter.ts'
import { changeUser } from './users.queries.ts'
import { roleEffects } from './what-changes.ts'

type RoleDialogProps = { user: AdminUser; isReader: boolean; onClose: () => void }

export function RoleDialog({ user, isReader, onClose }: RoleDialogProps) {
  const [role, setRole] = useState(user.role)
  return (
    <ConfirmChange
      title={t`Change the role of ${user.email}`}
      action={t`Change role`}
      failure={t`The role could not be changed. Please try again.`}
      effects={role === user.role ? [] : roleEffects(role, isReader)}
      isChanged={role !== user.role}
      isDangerous={false}
      onConfirm={async () => {
        await changeUser({ userId: user.id, role })
        showDone(t`${user.email} has the role ${roleName(role)}`)
      }}
      onClose={onClose}
    >
      <Field label={t`Role`}>
        {(control) => (
          <Select
            {...control}
            value={role}
            onChange={({ currentTarget: { value } }) =>
              setRole(ROLE_CHOICES.find((choice) => choice === value) ?? user.role)
            }
          >
            {ROLE_CHOICES.map((choice) => (
              <option key={choice} value={choice}>
                {roleName(choice)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </ConfirmChange>
  )
}
