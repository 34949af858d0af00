import { cancelWith } from '@tapeline/database/cancel'
import { createServer, type Server, type ServerOptions } from '@tapeline/service/create-server'
import { abortOnClose } from '@tapeline/service/calls/abort-on-close'
import type { Deps } from './deps.ts'
import { addRoutes } from './routes.ts'
import { addStreamRoutes } from './stream/stream-routes.ts'
import type { Readers } from './simulator/readers.ts'
import type { StreamServer } from './stream/stream-server.ts'

export type AppOptions = Omit<ServerOptions, 'name' | 'now'> & {
  roles?: ReadonlySet<string>
  /** Undefined without the role `stream`. */
  streams?: StreamServer | undefined
  /** Called for every call of the API, and while a stream of samples is open. */
  readers?: Readers
}

const EVERY_ROLE = new Set(['http'])

/** The server without the process, as main.ts starts it and tests inject into it. */
export async function createApp(
  deps: Deps,
  { roles = EVERY_ROLE, streams, readers, ...options }: AppOptions,
): Promise<Server> {
  const app = await createServer({ ...options, name: 'market-data', now: deps.now, settings: deps.settings })
  if (readers !== undefined)
    app.addHook('onRequest', ({ url }, _reply, done) => {
      // The status page requests the sample every minute.
      if (url.startsWith('/api/') && url !== '/api/v1/sample') readers.note()
      done()
    })
  if (streams !== undefined) addStreamRoutes(app, deps, streams)
  if (!roles.has('http')) return app
  // When the client of a call that only reads disconnects, its statements are cancelled.
  app.addHook('preHandler', ({ method }, reply, done) => {
    if (method === 'PUT') done()
    else cancelWith(abortOnClose(reply), done)
  })
  addRoutes(app, deps, options.logger, readers)
  return app
}
