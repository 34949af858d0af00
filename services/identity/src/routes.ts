import { answer, Answer, done, Done } from '@tapeline/contracts/answer'
import { PublicKeys } from '@tapeline/contracts/identity/access-token'
import {
  AccountRecord,
  LogIn,
  Refresh,
  RefreshedTokens,
  SignedIn,
  SignedOut,
  SignUp,
  UserDetails,
} from '@tapeline/contracts/identity/http'
import {
  ChangedPassword,
  ChangePassword,
  ForgotPassword,
  PasswordIsReset,
  ResetPassword,
  ResetTokenState,
  VerifyResetToken,
} from '@tapeline/contracts/identity/passwords'
import { UpdatedProfile, UpdateProfile } from '@tapeline/contracts/identity/profile'
import { EndedSessionCount, SessionList } from '@tapeline/contracts/identity/sessions'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import { addAccountRoutes } from './account-routes.ts'
import { addAdminRoutes } from './admin-routes.ts'
import { addContactRoutes } from './contact/contact-routes.ts'
import type { Deps } from './deps.ts'
import { addDeviceLoginRoutes } from './device-login-routes.ts'
import { addExportRoutes } from './export-routes.ts'
import { addOauthRoutes } from './oauth-routes.ts'
import { addPushRoutes } from './push-routes.ts'
import { changePassword } from './passwords/change-password.ts'
import { forgotPassword } from './passwords/forgot-password.ts'
import { resetPassword } from './passwords/reset-password.ts'
import { verifyResetToken } from './passwords/verify-reset-token.ts'
import type { AccessTokenSigner } from './sessions/access-token.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { logIn } from './sessions/log-in.ts'
import { logOut } from './sessions/log-out.ts'
import type { SignedInUser } from './sessions/present-sign-in.ts'
import { refreshSession } from './sessions/refresh-session.ts'
import { revokeOtherSessions } from './sessions/revoke-other-sessions.ts'
import { revokeSession } from './sessions/revoke-session.ts'
import { getAccountRecord } from './users/get-account-record.ts'
import { getUserDetails } from './users/get-user-details.ts'
import { signUp } from './users/sign-up.ts'
import { updateProfile } from './users/update-profile.ts'

export type Tokens = { signAccessToken: AccessTokenSigner; publishedKeys: () => Promise<PublicKeys> }

const ById = Type.Object({ id: Type.String({ format: 'uuid', maxLength: 36 }) })
const signedInAnswer = Answer(SignedIn)

export function addRoutes(app: Server, deps: Deps, tokens: Tokens): void {
  addUserRoutes(app, deps, tokens)
  addSessionRoutes(app, deps, tokens)
  addSessionListRoutes(app, deps)
  addPasswordRoutes(app, deps)
  addAccountRoutes(app, deps)
  addExportRoutes(app, deps)
  addAdminRoutes(app, deps)
  addContactRoutes(app, deps)
  addPushRoutes(app, deps)
  addDeviceLoginRoutes(app, deps, (signedIn) => withToken(tokens, signedIn))
  addOauthRoutes(app, deps, (signedIn) => withToken(tokens, signedIn))
  app.get(
    '/internal/accounts/:id',
    { config: { access: { services: ['gateway'] } }, schema: { params: ById, response: { 200: AccountRecord } } },
    (request) => getAccountRecord(deps, request.params.id),
  )
  app.get(
    '/.well-known/jwks.json',
    { config: { access: 'open' }, schema: { response: { 200: PublicKeys } } },
    async (_request, reply) => {
      void reply.header('cache-control', 'public, max-age=300')
      return tokens.publishedKeys()
    },
  )
}

function addUserRoutes(app: Server, deps: Deps, tokens: Tokens): void {
  for (const url of ['/api/v1/internal/user/create', '/api/v1/user/create']) {
    app.put(
      url,
      { config: { access: 'public' }, schema: { body: SignUp, response: { 201: signedInAnswer } } },
      async (request, reply) => {
        const signedIn = await signUp(deps, request.actor, request.body)
        const data = await withToken(tokens, signedIn)
        return reply.code(201).header('cache-control', 'no-store').send(answer('Account created', data))
      },
    )
  }
  app.patch(
    '/api/v1/internal/user/update',
    {
      config: { access: { role: 'user' } },
      schema: { body: UpdateProfile, response: { 200: Answer(UpdatedProfile) } },
    },
    async (request) => answer('Profile updated', await updateProfile(deps, userOf(request), request.body)),
  )
  app.get(
    '/api/v1/internal/user/details',
    { config: { access: { role: 'user' } }, schema: { response: { 200: Answer(UserDetails) } } },
    async (request, reply) => {
      const details = await getUserDetails(deps, userOf(request))
      return reply.header('cache-control', 'no-store').send(answer('User details', details))
    },
  )
}

function addSessionRoutes(app: Server, deps: Deps, tokens: Tokens): void {
  app.post(
    '/api/v1/internal/user/login',
    { config: { access: 'public' }, schema: { body: LogIn, response: { 200: signedInAnswer } } },
    async (request, reply) => {
      const data = await withToken(tokens, await logIn(deps, request.actor, request.body))
      return reply.header('cache-control', 'no-store').send(answer('Signed in', data))
    },
  )
  app.post(
    '/api/v1/internal/user/refresh',
    { config: { access: 'public' }, schema: { body: Refresh, response: { 200: Answer(RefreshedTokens) } } },
    async (request, reply) => {
      const { refreshToken, ...subject } = await refreshSession(deps, request.actor, request.body)
      const data = { ...(await tokens.signAccessToken(subject)), refreshToken }
      return reply.header('cache-control', 'no-store').send(answer('Session refreshed', data))
    },
  )
  app.patch(
    '/api/v1/internal/user/logout',
    { config: { access: { role: 'user' } }, schema: { response: { 200: Answer(SignedOut) } } },
    async (request) => answer('Signed out', await logOut(deps, userOf(request))),
  )
}

function addSessionListRoutes(app: Server, deps: Deps): void {
  const access = { access: { role: 'user' as const } }
  const ended = { 200: Answer(EndedSessionCount) }
  app.get(
    '/api/v1/internal/user/sessions',
    { config: access, schema: { response: { 200: Answer(SessionList) } } },
    async (request) => answer('Where you are signed in', await listSessions(deps, userOf(request))),
  )
  app.delete('/api/v1/internal/user/sessions', { config: access, schema: { response: ended } }, async (request) =>
    answer('Signed out everywhere else', await revokeOtherSessions(deps, userOf(request))),
  )
  app.delete(
    '/api/v1/internal/user/sessions/:id',
    { config: access, schema: { params: ById, response: ended } },
    async (request) => answer('Session ended', await revokeSession(deps, userOf(request), request.params.id)),
  )
}

function addPasswordRoutes(app: Server, deps: Deps): void {
  const open = { access: 'public' as const }
  app.post(
    '/api/v1/internal/user/change-password',
    {
      config: { access: { role: 'user' } },
      schema: { body: ChangePassword, response: { 200: Answer(ChangedPassword) } },
    },
    async (request) => answer('Password changed', await changePassword(deps, userOf(request), request.body)),
  )
  app.post(
    '/api/v1/internal/user/forgot-password',
    { config: open, schema: { body: ForgotPassword, response: { 200: Done } } },
    async (request) => {
      await forgotPassword(deps, request.body)
      return done('If this address belongs to an account, a link to set a new password is on its way.')
    },
  )
  app.get(
    '/api/v1/internal/user/verify-reset-token',
    { config: open, schema: { querystring: VerifyResetToken, response: { 200: Answer(ResetTokenState) } } },
    async (request, reply) => {
      const state = await verifyResetToken(deps, request.query)
      return reply.header('cache-control', 'no-store').send(answer('Reset link checked', state))
    },
  )
  app.post(
    '/api/v1/internal/user/reset-password',
    { config: open, schema: { body: ResetPassword, response: { 200: Answer(PasswordIsReset) } } },
    async (request) => answer('Password reset successful!', await resetPassword(deps, request.actor, request.body)),
  )
}

async function withToken(tokens: Tokens, { sessionId, ...signedIn }: SignedInUser): Promise<SignedIn> {
  const { id: userId, role } = signedIn.user
  return { ...(await tokens.signAccessToken({ userId, role, sessionId })), ...signedIn }
}
