import { t } from '@lingui/core/macro'
import type { AdminUser } from '@tapeline/contracts/identity/admin'
import { useState } from 'react'
import { formatDateTime } from '../../../format/date.ts'
import { roleName } from '../../../session/role-names.ts'
import { useUser } from '../../../session/use-session.ts'
import { useSettings } from '../../../settings/use-settings.ts'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { StateBadge, Tag } from '../../../ui/StateBadge.tsx'
import { SidePanel } from '../SidePanel.tsx'
import { Fact } from './Fact.tsx'
import { AssignedPlan } from './AssignedPlan.tsx'
import { RoleDialog } from './RoleDialog.tsx'
import { StatusDialog } from './StatusDialog.tsx'
import { nameOf, UserState } from './UsersTable.tsx'

type UserPanelProps = {
  userId: string
  user: AdminUser | undefined
  /** The list is loaded, without the account. */
  isNotListed: boolean
  onClose: () => void
}

/** One account: details, permissions, plan. */
export function UserPanel({ userId, user, isNotListed, onClose }: UserPanelProps) {
  return (
    <SidePanel
      title={user === undefined ? t`Account` : nameOf(user)}
      className="user-panel"
      closeLabel={t`Close account`}
      onClose={onClose}
    >
      <dl className="user-facts">
        {user !== undefined && <Identity user={user} />}
        <Fact label={t`Id`} action={<CopyButton label={t`Copy id`} text={userId} />}>
          <span className="mono small">{userId}</span>
        </Fact>
        <AssignedPlan userId={userId} name={user?.email ?? userId} />
      </dl>
      {isNotListed && <p className="panel-foot">{t`This user is not on the current page of the list.`}</p>}
    </SidePanel>
  )
}

function Identity({ user }: { user: AdminUser }) {
  const { timezone } = useSettings()
  const { id: readerId } = useUser()
  const [dialog, setDialog] = useState<'role' | 'status'>()
  const close = (): void => setDialog(undefined)
  const isReader = user.id === readerId
  const small = { size: 'small', variant: 'quiet' } as const
  return (
    <>
      <Fact label={t`Email`}>
        <span className="break">{user.email}</span>
        <StateBadge tone={user.email_verified ? 'ok' : 'off'}>
          {user.email_verified ? t`Verified` : t`Not verified`}
        </StateBadge>
      </Fact>
      <Fact
        label={t`Role`}
        action={
          <Button {...small} onClick={() => setDialog('role')}>
            {t`Change role`}
          </Button>
        }
      >
        <Tag tone={user.role}>{roleName(user.role)}</Tag>
      </Fact>
      <Fact
        label={t`Status`}
        action={
          <Button {...small} onClick={() => setDialog('status')}>
            {user.status === 'active' ? t`Deactivate` : t`Activate`}
          </Button>
        }
      >
        <UserState status={user.status} />
      </Fact>
      <Fact label={t`Signed in`}>
        {user.last_login_at === null ? t`never` : formatDateTime(user.last_login_at, timezone)}
      </Fact>
      {dialog === 'role' && <RoleDialog user={user} isReader={isReader} onClose={close} />}
      {dialog === 'status' && <StatusDialog user={user} isReader={isReader} onClose={close} />}
    </>
  )
}
