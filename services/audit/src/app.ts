import { cancelWith } from '@tapeline/database/cancel'
import { createServer, type Server, type ServerOptions } from '@tapeline/service/create-server'
import { abortOnClose } from '@tapeline/service/calls/abort-on-close'
import type { Deps } from './deps.ts'
import { StreamHub } from './streams/stream-hub.ts'
import { addRoutes } from './routes.ts'

const REPORTS = /^\/api\/v1\/internal\/(apikeyaudit|requests|audit-trail)\b/

/** The server without the process, as main.ts starts it and tests inject into it. */
export async function createApp(deps: Deps, options: Omit<ServerOptions, 'name' | 'now'>): Promise<Server> {
  const app = await createServer({ ...options, name: 'audit', now: deps.now, settings: deps.settings })
  const hub = new StreamHub({ ...deps, onError: (err) => app.log.warn({ err }, 'open streams could not be told') })
  app.addHook('preClose', async () => hub.stop())
  // Reports nobody waits for any more end in the database. Not so streams, which share what they read.
  app.addHook('preHandler', (request, reply, done) => {
    if (REPORTS.test(request.url)) cancelWith(abortOnClose(reply), done)
    else done()
  })
  addRoutes(app, deps, hub)
  return app
}
