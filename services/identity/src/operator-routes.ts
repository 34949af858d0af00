import { answer, Answer, done, Done } from '@tapeline/contracts/answer'
import { ChangedUser, ChangeUser, ListUsersQuery, UserPage } from '@tapeline/contracts/identity/admin'
import { Contact } from '@tapeline/contracts/identity/contact'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { contactOperator } from './contact/contact-operator.ts'
import type { Deps } from './deps.ts'
import { changeUser } from './users/change-user.ts'
import { listUsers } from './users/list-users.ts'
import { presentAdminUser } from './users/present-admin-user.ts'

/** Routes for administrators, and the public contact form. */
export function addOperatorRoutes(app: Server, deps: Deps): void {
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
  app.post(
    '/api/v1/contact',
    { config: { access: 'public' }, schema: { body: Contact, response: { 200: Done } } },
    async (request) => {
      await contactOperator(deps, request.actor, request.body)
      return done('Thank you. We received your message and will reply by email.')
    },
  )
}
