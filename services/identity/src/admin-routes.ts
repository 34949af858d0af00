import { answer, Answer } from '@tapeline/contracts/answer'
import { ChangedUser, ChangeUser, ListUsersQuery, UserPage } from '@tapeline/contracts/identity/admin'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import type { Deps } from './deps.ts'
import { changeUser } from './users/change-user.ts'
import { listUsers } from './users/list-users.ts'
import { presentAdminUser } from './users/present-admin-user.ts'

/** Routes with which admins list and change accounts. */
export function addAdminRoutes(app: Server, deps: Deps): void {
  const access = { access: { role: 'admin' as const } }
  app.get(
    '/api/v1/admin/users',
    { config: access, schema: { querystring: ListUsersQuery, response: { 200: Answer(UserPage) } } },
    async (request) => answer('Users', await listUsers(deps, request.query)),
  )
  app.patch(
    '/api/v1/admin/users',
    { config: access, schema: { body: ChangeUser, response: { 200: Answer(ChangedUser) } } },
    async (request) => {
      const { user, ...rest } = await changeUser(deps, userOf(request), request.body)
      return answer('User changed', { user: presentAdminUser(user), ...rest })
    },
  )
}
