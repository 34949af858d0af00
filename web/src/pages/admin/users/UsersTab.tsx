import { t } from '@lingui/core/macro'
import type { AdminUser } from '@tapeline/contracts/identity/admin'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { useSearchParams } from '../../../router.ts'
import { searchNow } from '../../../search-now.ts'
import { useSettings } from '../../../settings/use-settings.ts'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { Paging } from '../../../ui/rows/Paging.tsx'
import { Bone, Skeleton } from '../../../ui/Skeleton.tsx'
import { UserPanel } from './UserPanel.tsx'
import './users.css'
import { readUsersFilter, type UsersFilter, writeUsersFilter } from './users-filter.ts'
import { usersQuery } from './users.queries.ts'
import { UsersBar } from './UsersBar.tsx'
import { UsersTable } from './UsersTable.tsx'

/** Every account, newest first; the filter and the open account are in the URL. */
export function UsersTab() {
  const [search, setSearch] = useSearchParams()
  const filter = readUsersFilter(search)
  const userId = search.get('user') ?? undefined
  return (
    <>
      <UsersBar
        filter={filter}
        onChange={(changed) =>
          setSearch(writeUsersFilter({ ...readUsersFilter(searchNow()), ...changed }, userId), { replace: true })
        }
      />
      <Users
        filter={filter}
        userId={userId}
        onChoose={(id) => setSearch(writeUsersFilter(readUsersFilter(searchNow()), id), { replace: true })}
      />
    </>
  )
}

type UsersProps = { filter: UsersFilter; userId: string | undefined; onChoose: (id: string | undefined) => void }

function Users({ filter, userId, onChoose }: UsersProps) {
  const filtered = writeUsersFilter(filter).toString()
  const [paging, setPaging] = useState<{ of: string; cursors: readonly string[] }>({ of: filtered, cursors: [] })
  // Another filter begins at its first page; the open account stays.
  const cursors = paging.of === filtered ? paging.cursors : []
  const { dashboardItemsPerPage: limit } = useSettings()
  const page = useQuery(usersQuery(filter, { cursor: cursors.at(-1), limit }))
  const users = page.data?.users
  return (
    <div className={userId === undefined ? undefined : 'admin-split'}>
      <section className="panel" aria-label={t`Accounts`} aria-busy={page.isPlaceholderData}>
        <Listed page={page} users={users} userId={userId} onChoose={onChoose} />
        {page.data !== undefined && (
          <Paging
            cursors={cursors}
            next={page.data.next_cursor}
            isBusy={page.isPlaceholderData}
            onTurn={(turned) => setPaging({ of: filtered, cursors: turned })}
          />
        )}
      </section>
      {userId !== undefined && (
        <UserPanel
          key={userId}
          userId={userId}
          user={users?.find(({ id }) => id === userId)}
          isNotListed={users?.every(({ id }) => id !== userId) === true}
          onClose={() => onChoose(undefined)}
        />
      )}
    </div>
  )
}

type ListedProps = {
  page: { error: Error | null; isPending: boolean; isFetching: boolean; refetch: () => unknown }
  users: readonly AdminUser[] | undefined
  userId: string | undefined
  onChoose: (id: string) => void
}

function Listed({ page, users, userId, onChoose }: ListedProps) {
  if (users === undefined && page.isPending) return <UsersSkeleton />
  if (users === undefined) {
    return (
      <ErrorPanel
        title={t`The accounts could not be loaded`}
        requestId={page.error instanceof ApiError ? page.error.requestId : undefined}
        onRetry={() => void page.refetch()}
        isRetrying={page.isFetching}
      >
        {page.error?.message}
      </ErrorPanel>
    )
  }
  if (users.length === 0) return <p className="message muted">{t`No accounts match this filter.`}</p>
  return <UsersTable users={users} chosenId={userId} onChoose={onChoose} />
}

function UsersSkeleton() {
  return (
    <Skeleton label={t`Loading accounts`}>
      <div className="panel-body flag-bones">
        {[0, 1, 2, 3, 4].map((row) => (
          <Bone key={row} widthPx={320} />
        ))}
      </div>
    </Skeleton>
  )
}
