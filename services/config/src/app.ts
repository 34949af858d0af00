import { createServer, type Server, type ServerOptions } from '@tapeline/service/create-server'
import type { Deps } from './deps.ts'
import { addAdminRoutes } from './admin-routes.ts'
import { addPlanRoutes } from './plan-routes.ts'
import { addRoutes } from './routes.ts'

/** The server without the process: main.ts starts it, tests inject requests. */
export async function createApp(deps: Deps, options: Omit<ServerOptions, 'name' | 'now'>): Promise<Server> {
  const app = await createServer({ ...options, name: 'config', now: deps.now, settings: deps.settings })
  addRoutes(app, deps)
  addPlanRoutes(app, deps)
  addAdminRoutes(app, deps)
  return app
}
