import { createServer, type Server, type ServerOptions } from '@tapeline/service/create-server'
import type { Deps } from './deps.ts'
import { addRoutes } from './routes.ts'
import { createAccessTokenSigner } from './sessions/access-token.ts'
import type { SigningKeys } from './sessions/signing-keys.ts'

export type AppOptions = Omit<ServerOptions, 'name' | 'now'> & { signingKeys: SigningKeys }

/** The server without the process: main.ts starts it, tests inject requests. */
export async function createApp(deps: Deps, { signingKeys, ...options }: AppOptions): Promise<Server> {
  const app = await createServer({ ...options, name: 'identity', now: deps.now, settings: deps.settings })
  const signAccessToken = await createAccessTokenSigner(app, signingKeys, deps)
  addRoutes(app, deps, { signAccessToken, publishedKeys: signingKeys.published })
  return app
}
