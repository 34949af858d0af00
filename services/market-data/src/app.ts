import { cancelWith } from '@tapeline/database/cancel'
import { createServer, type Server, type ServerOptions } from '@tapeline/service/create-server'
import { abortOnClose } from '@tapeline/service/calls/abort-on-close'
import type { Deps } from './deps.ts'
import { addRoutes } from './routes.ts'

/** The server without the process, as main.ts starts it and tests inject into it. */
export async function createApp(deps: Deps, options: Omit<ServerOptions, 'name' | 'now'>): Promise<Server> {
  const app = await createServer({ ...options, name: 'market-data', now: deps.now })
  // Every route only reads: when nobody waits any more, its statements end.
  app.addHook('preHandler', (_request, reply, done) => cancelWith(abortOnClose(reply), done))
  addRoutes(app, deps)
  return app
}
