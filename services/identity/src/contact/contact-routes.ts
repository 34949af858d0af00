import { done, Done } from '@tapeline/contracts/answer'
import { Contact } from '@tapeline/contracts/identity/contact'
import type { Server } from '@tapeline/service/create-server'
import type { Deps } from '../deps.ts'
import { contactOperator } from './contact-operator.ts'

/** The contact form, which needs no account. */
export function addContactRoutes(app: Server, deps: Deps): void {
  app.post(
    '/api/v1/contact',
    { config: { access: 'public' }, schema: { body: Contact, response: { 200: Done } } },
    async (request) => {
      await contactOperator(deps, request.actor, request.body)
      return done('Thank you. We received your message and will reply by email.')
    },
  )
}
