import { answer, Answer, done, Done } from '@tapeline/contracts/answer'
import {
  DecideDeviceLogin,
  DeviceLogin,
  DeviceLoginPath,
  FinishDeviceLogin,
  StartDeviceLogin,
  StartedDeviceLogin,
} from '@tapeline/contracts/identity/device-logins'
import { SignedIn } from '@tapeline/contracts/identity/http'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import type { Deps } from './deps.ts'
import { decideDeviceLogin, showDeviceLogin } from './device-logins/decide-device-login.ts'
import { finishDeviceLogin } from './device-logins/finish-device-login.ts'
import { startDeviceLogin } from './device-logins/start-device-login.ts'
import type { SignedInUser } from './sessions/present-sign-in.ts'

const LOGINS = '/api/v1/internal/user/device-logins'
const open = { access: 'public' as const }
const bySession = { access: { role: 'user' as const } }

/** Sign-in of programs without a browser of their own, such as the command line. */
export function addDeviceLoginRoutes(
  app: Server,
  deps: Deps,
  withToken: (signedIn: SignedInUser) => Promise<SignedIn>,
): void {
  app.post(
    LOGINS,
    { config: open, schema: { body: StartDeviceLogin, response: { 201: Answer(StartedDeviceLogin) } } },
    async (request, reply) => {
      const started = await startDeviceLogin(deps, request.actor, request.body)
      const message = 'Approve the code in a browser'
      return reply.code(201).header('cache-control', 'no-store').send(answer(message, started))
    },
  )
  app.post(
    `${LOGINS}/finish`,
    { config: open, schema: { body: FinishDeviceLogin, response: { 200: Answer(SignedIn) } } },
    async (request, reply) => {
      const data = await withToken(await finishDeviceLogin(deps, request.actor, request.body))
      return reply.header('cache-control', 'no-store').send(answer('Signed in', data))
    },
  )
  app.get(
    `${LOGINS}/:user_code`,
    { config: bySession, schema: { params: DeviceLoginPath, response: { 200: Answer(DeviceLogin) } } },
    async (request) => answer('Waiting for approval', await showDeviceLogin(deps, request.params.user_code)),
  )
  app.put(
    `${LOGINS}/:user_code`,
    {
      config: bySession,
      schema: { params: DeviceLoginPath, body: DecideDeviceLogin, response: { 200: Done } },
    },
    async (request) => {
      const { decision } = request.body
      await decideDeviceLogin(deps, userOf(request), { userCode: request.params.user_code, decision })
      return done(decision === 'approve' ? 'The device can sign in now.' : 'The device was denied.')
    },
  )
}
