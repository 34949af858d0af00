import { STREAM_MESSAGES_HEADER, StreamQuery } from '@tapeline/contracts/market-data/stream'
import { withoutCancellation } from '@tapeline/database/cancel'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import type { Deps } from '../deps.ts'
import { serveEventStream, subscribeOf } from './event-stream.ts'
import { openSubscription } from './open-subscription.ts'
import { messagesPerSecondOf } from './paced-transport.ts'
import type { StreamServer } from './stream-server.ts'
import { createUpgrades, serveWebSocket } from './websocket.ts'

/**
 * `GET /api/v1/stream`, for processes with the role `stream`: a WebSocket if the client requests an upgrade, otherwise
 * server-sent events.
 */
export function addStreamRoutes(app: Server, deps: Deps, streams: StreamServer): void {
  const upgrades = createUpgrades(app)
  app.addHook('preClose', () => streams.stop())
  app.get(
    '/api/v1/stream',
    {
      config: { access: { role: 'user', key: true, scope: 'stream:read', feature: 'realTimeData' } },
      schema: { querystring: StreamQuery },
    },
    async (request, reply) => {
      const actor = userOf(request)
      const messagesPerSecond = messagesPerSecondOf(request.headers[STREAM_MESSAGES_HEADER])
      const caller = { actor, requestId: request.id, messagesPerSecond }
      // The subscriptions outlive the request.
      if (upgrades.isUpgrade(request.raw)) {
        reply.hijack()
        withoutCancellation(() =>
          upgrades.accept(request.raw, reply.raw, (socket) => serveWebSocket(socket, streams, caller)),
        )
        return reply
      }
      const { 'last-event-id': lastEventId } = request.headers
      const message = subscribeOf(request.query, typeof lastEventId === 'string' ? lastEventId : undefined)
      // Subscriptions that are not permitted are rejected at once, without waiting for a turn.
      await openSubscription(deps, actor, message)
      const onBegin = () => reply.hijack()
      await withoutCancellation(() => serveEventStream(reply.raw, streams, { ...caller, message, onBegin }))
      return reply
    },
  )
}
