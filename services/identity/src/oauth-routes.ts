import { answer, Answer, done, Done } from '@tapeline/contracts/answer'
import type { SignedIn } from '@tapeline/contracts/identity/http'
import {
  ConfirmLink,
  DisconnectProvider,
  FinishProviderSignIn,
  ProviderSignedIn,
  ProviderSignIn,
} from '@tapeline/contracts/identity/oauth'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import type { Deps } from './deps.ts'
import { confirmLink } from './oauth/confirm-link.ts'
import { disconnectProvider } from './oauth/disconnect-provider.ts'
import { finishProviderSignIn } from './oauth/finish-provider-sign-in.ts'
import { startProviderSignIn } from './oauth/start-provider-sign-in.ts'
import type { SignedInUser } from './sessions/present-sign-in.ts'

type WithToken = (signedIn: SignedInUser) => Promise<SignedIn>

/** Routes of the sign-in with the provider at `OIDC_ISSUER`, Google by default. */
export function addOauthRoutes(app: Server, deps: Deps, withToken: WithToken): void {
  const signedIn = { 200: Answer(ProviderSignedIn) }
  app.get(
    '/api/v1/internal/oauth/google',
    { config: { access: 'public' }, schema: { response: { 200: Answer(ProviderSignIn) } } },
    async (request, reply) => {
      const data = await startProviderSignIn(deps, request.actor)
      return reply.header('cache-control', 'no-store').send(answer('Go on at Google', data))
    },
  )
  app.post(
    '/api/v1/internal/oauth/google/callback',
    { config: { access: 'public' }, schema: { body: FinishProviderSignIn, response: signedIn } },
    async (request, reply) => {
      const entry = await finishProviderSignIn(deps, request.actor, request.body)
      const data = { ...(await withToken(entry.signedIn)), isNewUser: entry.isNewUser }
      return reply.header('cache-control', 'no-store').send(answer('Signed in', data))
    },
  )
  app.post(
    '/api/v1/internal/oauth/google/confirm',
    { config: { access: 'public' }, schema: { body: ConfirmLink, response: signedIn } },
    async (request, reply) => {
      const entry = await confirmLink(deps, request.actor, request.body)
      const data = { ...(await withToken(entry.signedIn)), isNewUser: entry.isNewUser }
      return reply.header('cache-control', 'no-store').send(answer('Signed in', data))
    },
  )
  app.post(
    '/api/v1/internal/oauth/google/disconnect',
    { config: { access: { role: 'user' } }, schema: { body: DisconnectProvider, response: { 200: Done } } },
    async (request) => {
      await disconnectProvider(deps, userOf(request), request.body)
      return done('Google is disconnected')
    },
  )
}
