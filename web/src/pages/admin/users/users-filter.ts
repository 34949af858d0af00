import type { Role } from '@tapeline/contracts/actor'
import type { ListUsersQuery } from '@tapeline/contracts/identity/admin'
import type { UserStatus } from '@tapeline/contracts/identity/http'

export const ROLE_CHOICES: readonly Role[] = ['user', 'tester', 'admin']
export const STATUS_CHOICES: readonly UserStatus[] = ['active', 'inactive']

/** In the URL: part of an e-mail or a name, a role, a status. */
export type UsersFilter = { search: string; role: Role | undefined; status: UserStatus | undefined }

export function readUsersFilter(search: URLSearchParams): UsersFilter {
  return {
    search: search.get('search') ?? '',
    role: ROLE_CHOICES.find((role) => role === search.get('role')),
    status: STATUS_CHOICES.find((status) => status === search.get('status')),
  }
}

/** The URL of the tab with this filter and the open account. */
export function writeUsersFilter({ search, role, status }: UsersFilter, userId?: string): URLSearchParams {
  return new URLSearchParams({
    tab: 'users',
    ...(search === '' ? {} : { search }),
    ...(role === undefined ? {} : { role }),
    ...(status === undefined ? {} : { status }),
    ...(userId === undefined ? {} : { user: userId }),
  })
}

export function queryOfUsers({ search, role, status }: UsersFilter): ListUsersQuery {
  const words = search.trim()
  return {
    ...(words === '' ? {} : { search: words }),
    ...(role === undefined ? {} : { role }),
    ...(status === undefined ? {} : { status }),
  }
}
