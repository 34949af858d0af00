import type { AdminUser } from '@tapeline/contracts/identity/admin'
import { useState } from 'react'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Input.tsx'
import { tellDone } from '../tell-done.ts'
import { ConfirmChange } from '../ConfirmChange.tsx'
import { ROLE_CHOICES } from './users-filter.ts'
import { changeUser } from './users.queries.ts'
import { roleEffects } from './what-changes.ts'

type RoleDialogProps = { user: AdminUser; isReader: boolean; onClose: () => void }

export function RoleDialog({ user, isReader, onClose }: RoleDialogProps) {
  const [role, setRole] = useState(user.role)
  return (
    <ConfirmChange
      title={`Change the role of ${user.email}`}
      action="Change Role"
      failure="The role could not be changed. Please try again."
      effects={role === user.role ? [] : roleEffects(role, isReader)}
      isChanged={role !== user.role}
      isDangerous={false}
      onConfirm={async () => {
        await changeUser({ userId: user.id, role })
        tellDone(`${user.email} has the role ${role}`)
      }}
      onClose={onClose}
    >
      <Field label="Role">
        {(control) => (
          <Select
            {...control}
            value={role}
            onChange={({ currentTarget: { value } }) =>
              setRole(ROLE_CHOICES.find((choice) => choice === value) ?? user.role)
            }
          >
            {ROLE_CHOICES.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </Select>
        )}
      </Field>
    </ConfirmChange>
  )
}
