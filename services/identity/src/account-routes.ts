import { AccountCountRequest, Affected } from '@tapeline/contracts/config/flags'
import { answer, Answer, done, Done } from '@tapeline/contracts/answer'
import { RequestDeletion, RequestedDeletion } from '@tapeline/contracts/identity/account-deletion'
import { ChangeEmail, ConfirmedEmail, ConfirmLink, EmailState } from '@tapeline/contracts/identity/email'
import { RequestDeviceLink, TrustDevice, TrustedDevice } from '@tapeline/contracts/identity/devices'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import { requestDeletion } from './account-deletion/request-deletion.ts'
import type { Deps } from './deps.ts'
import { requestDeviceLink } from './devices/request-device-link.ts'
import { trustDevice } from './devices/trust-device.ts'
import { changeEmail } from './email/change-email.ts'
import { confirmEmailChange } from './email/confirm-email-change.ts'
import { getEmailState } from './email/get-email-state.ts'
import { resendVerification } from './email/resend-verification.ts'
import { verifyEmail } from './email/verify-email.ts'
import { countAccounts } from './users/count-accounts.ts'

const USER = '/api/v1/internal/user'
const bySession = { access: { role: 'user' as const } }
const open = { access: 'public' as const }

function addDeviceRoutes(app: Server, deps: Deps): void {
  app.post(
    `${USER}/device-link`,
    { config: open, schema: { body: RequestDeviceLink, response: { 200: Done } } },
    async (request) => {
      await requestDeviceLink(deps, request.body)
      return done('If this address belongs to an account, a link that allows this browser to sign in is on its way.')
    },
  )
  app.post(
    `${USER}/trust-device`,
    { config: open, schema: { body: TrustDevice, response: { 200: Answer(TrustedDevice) } } },
    async (request, reply) => {
      const trusted = await trustDevice(deps, request.actor, request.body)
      return reply.header('cache-control', 'no-store').send(answer('This browser can sign in now', trusted))
    },
  )
}

/** Routes for the account's address, devices, export and deletion. */
export function addAccountRoutes(app: Server, deps: Deps): void {
  addDeviceRoutes(app, deps)
  const confirming = { body: ConfirmLink, response: { 200: Answer(ConfirmedEmail) } }
  app.post(`${USER}/verify-email`, { config: open, schema: confirming }, async (request) =>
    answer('Email address verified', await verifyEmail(deps, request.actor, request.body)),
  )
  app.post(
    `${USER}/resend-verification`,
    { config: bySession, schema: { response: { 200: Done } } },
    async (request) => {
      await resendVerification(deps, userOf(request))
      return done('A mail with a new link is on its way.')
    },
  )
  app.post(
    `${USER}/change-email`,
    { config: bySession, schema: { body: ChangeEmail, response: { 200: Done } } },
    async (request) => {
      await changeEmail(deps, userOf(request), request.body)
      return done('A link to confirm the new address is on its way there. Until then nothing changes.')
    },
  )
  app.delete(
    `${USER}/account`,
    { config: bySession, schema: { body: RequestDeletion, response: { 200: Answer(RequestedDeletion) } } },
    async (request) => {
      const requested = await requestDeletion(deps, userOf(request), request.body)
      return answer('The account is closed, and will be deleted unless you sign in before then.', requested)
    },
  )
  app.post(`${USER}/confirm-email-change`, { config: open, schema: confirming }, async (request) =>
    answer('Email address changed', await confirmEmailChange(deps, request.actor, request.body)),
  )
  app.get(
    '/internal/accounts/:id/email',
    {
      config: { access: { services: ['config'] } },
      schema: { params: Type.Object({ id: Type.String({ format: 'uuid' }) }), response: { 200: EmailState } },
    },
    (request) => getEmailState(deps, request.params.id),
  )
  app.post(
    '/internal/accounts/count',
    {
      config: { access: { services: ['config'] } },
      schema: { body: AccountCountRequest, response: { 200: Affected } },
    },
    (request) => countAccounts(deps, request.body),
  )
}
