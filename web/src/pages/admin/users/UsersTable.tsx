import { t } from '@lingui/core/macro'
import type { AdminUser } from '@tapeline/contracts/identity/admin'
import { formatDate } from '../../../format/date.ts'
import { formatAgo } from '../../../format/duration.ts'
import { roleName } from '../../../session/role-names.ts'
import { useUser } from '../../../session/use-session.ts'
import { useSettings } from '../../../settings/use-settings.ts'
import { StateBadge, Tag } from '../../../ui/StateBadge.tsx'
import { Table } from '../../../ui/rows/Table.tsx'
import { useNow } from '../../../ui/hooks/use-now.ts'

type UsersTableProps = { users: readonly AdminUser[]; chosenId: string | undefined; onChoose: (id: string) => void }

export function UsersTable({ users, chosenId, onChoose }: UsersTableProps) {
  const { timezone } = useSettings()
  const { id: readerId } = useUser()
  const nowMs = useNow()
  return (
    <Table
      caption={t`Accounts, newest first`}
      className="users"
      rows={users}
      rowKey={({ id }) => id}
      isSelected={({ id }) => id === chosenId}
      onOpen={({ id }) => onChoose(id)}
      columns={[
        {
          key: 'account',
          head: t`Account`,
          cell: (user) => (
            <button type="button" className="user-name" onClick={() => onChoose(user.id)}>
              <span className="medium clip">
                {nameOf(user)}
                {user.id === readerId && <span className="muted"> {t`(you)`}</span>}
              </span>
              <span className="detail clip">{user.email}</span>
            </button>
          ),
        },
        {
          key: 'role',
          head: t`Role`,
          className: 'role-cell',
          cell: ({ role }) => <Tag tone={role}>{roleName(role)}</Tag>,
        },
        {
          key: 'status',
          head: t`Status`,
          className: 'state-cell',
          cell: ({ status }) => <UserState status={status} />,
        },
        {
          key: 'since',
          head: t`Since`,
          className: 'time-cell',
          cell: ({ created_at }) => <span className="muted nowrap">{formatDate(created_at, timezone)}</span>,
        },
        {
          key: 'seen',
          head: t`Signed in`,
          className: 'time-cell',
          cell: ({ last_login_at }) => (
            <span className="muted nowrap">{last_login_at === null ? t`never` : formatAgo(last_login_at, nowMs)}</span>
          ),
        },
      ]}
    />
  )
}

export function UserState({ status }: { status: AdminUser['status'] }) {
  return (
    <StateBadge tone={status === 'active' ? 'ok' : 'bad'}>{status === 'active' ? t`Active` : t`Inactive`}</StateBadge>
  )
}

export function nameOf({ first_name, last_name, email }: AdminUser): string {
  return `${first_name} ${last_name}`.trim() || email
}
