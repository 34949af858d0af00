import { cancelWith } from '@tapeline/database/cancel'
import { createServer, type Server, type ServerOptions } from '@tapeline/service/create-server'
import { abortOnClose } from '@tapeline/service/calls/abort-on-close'
import { type BackgroundDeps, createBackground } from './background.ts'
import type { Deps } from './deps.ts'
import { addForecastRoutes } from './forecast/forecast-routes.ts'
import type { ForecastDeps } from './forecast/show-forecast.ts'
import { addReplayRoutes } from './replay/replay-routes.ts'
import { StreamHub } from './streams/stream-hub.ts'
import { addRoutes } from './routes.ts'
import type { WebhookDeps } from './webhooks/webhook-deps.ts'
import { addWebhookRoutes } from './webhooks/webhook-routes.ts'

const REPORTS = /^\/api\/v1\/internal\/(apikeyaudit|requests|audit-trail|usage-forecast)\b/

/** The server without the process: main.ts starts it, tests inject requests. */
export async function createApp(
  deps: Deps & WebhookDeps & ForecastDeps & BackgroundDeps,
  options: Omit<ServerOptions, 'name' | 'now'>,
): Promise<Server> {
  const app = await createServer({ ...options, name: 'audit', now: deps.now, settings: deps.settings })
  const hub = new StreamHub({
    ...deps,
    onError: (err) => app.log.warn({ err }, 'event streams: new events could not be read; retrying'),
  })
  app.addHook('preClose', async () => hub.stop())
  // Cancels a report's statements when its client disconnects. Streams are exempt, because they share their reads.
  app.addHook('preHandler', (request, reply, done) => {
    if (REPORTS.test(request.url)) cancelWith(abortOnClose(reply), done)
    else done()
  })
  const start = createBackground(app, deps)
  addRoutes(app, deps, { hub, start })
  addWebhookRoutes(app, deps)
  addForecastRoutes(app, deps)
  addReplayRoutes(app, deps, start)
  return app
}
