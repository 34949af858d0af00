import { createServer, type Server, type ServerOptions } from '@tapeline/service/create-server'
import type { Deps } from './deps.ts'
import { StreamHub } from './events/stream-hub.ts'
import { addRoutes } from './routes.ts'

/** The server without the process, as main.ts starts it and tests inject into it. */
export async function createApp(deps: Deps, options: Omit<ServerOptions, 'name' | 'now'>): Promise<Server> {
  const app = await createServer({ ...options, name: 'audit', now: deps.now })
  const hub = new StreamHub({ ...deps, onError: (err) => app.log.warn({ err }, 'open streams could not be told') })
  app.addHook('preClose', async () => hub.stop())
  addRoutes(app, deps, hub)
  return app
}
