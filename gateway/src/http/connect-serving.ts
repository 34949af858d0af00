import type { InternalKeys } from '@tapeline/service/internal-keys'
import type { Logger } from '@tapeline/service/logger'
import type { Process } from '@tapeline/service/process/run-process'
import { ActorTokens } from '../auth/actor-tokens.ts'
import type { StreamTickets } from '../auth/stream-tickets.ts'
import type { Config } from '../config.ts'
import type { GatewayMetrics } from '../operations/gateway-metrics.ts'
import type { ConnectionSlots } from '../limiter/connection-slots.ts'
import type { McpRelay } from '../mcp/mcp-relay.ts'
import { Deadlines } from '../proxy/deadlines.ts'
import { openStreamClient, openUpstreamClients } from '../proxy/upstream-clients.ts'
import { LiveStreams } from '../stream/live-streams.ts'
import type { StreamUsage } from '../stream/stream-usage.ts'
import type { BrowserPolicy } from './browser-policy.ts'
import type { RequestContext } from './request-context.ts'
import { actorFor, createServing, type Serving } from './serving.ts'
import type { StreamGuard } from './stream-guard.ts'

export type ConnectServingOptions = {
  config: Config
  logger: Logger
  internalKeys: InternalKeys
  running: Pick<Process, 'onStop'>
  metrics: GatewayMetrics
  policy: BrowserPolicy
  streams: StreamGuard
  slots: ConnectionSlots
  tickets: StreamTickets
  usage: StreamUsage
  mcp: McpRelay
}

/** The connections to the services, and what passes requests and streams on to them. */
export function connectServing(options: ConnectServingOptions): {
  serving: Serving
  live: LiveStreams<RequestContext>
} {
  const { config, logger, internalKeys, running, metrics, policy, streams, slots, tickets, usage, mcp } = options
  const deadlines = new Deadlines()
  running.onStop('deadlines', () => deadlines.stop())
  const clients = openUpstreamClients({ config, running }, metrics)
  const actorTokens = new ActorTokens(internalKeys)
  const forwarding = { deadlines, logger }
  const live = new LiveStreams<RequestContext>({
    forwarding,
    client: openStreamClient({ config, running }, metrics),
    openMax: config.LIVE_STREAMS_MAX,
    actorToken: (context) => actorTokens.tokenFor(actorFor(context), 'market-data', Date.now()),
    isAllowedOrigin: policy.isAllowed,
    slots,
    onOpened: (context, stream) => streams.addLive(context, stream),
    usage,
  })
  measure(metrics, live)
  const { BODY_BYTES_MAX: bodyBytesMax } = config
  return {
    serving: createServing({
      forwarding,
      clients,
      actorTokens,
      streams,
      live,
      own: { slots, tickets, mcp },
      bodyBytesMax,
    }),
    live,
  }
}

function measure(metrics: GatewayMetrics, live: LiveStreams<RequestContext>): void {
  metrics.addGauge({
    name: 'gateway_live_streams',
    help: 'Open live streams.',
    read: () => live.delivered().open,
  })
  metrics.addCounter({
    name: 'gateway_live_stream_messages_total',
    help: 'Messages that live streams have delivered.',
    read: () => live.delivered().messages,
  })
  metrics.addCounter({
    name: 'gateway_live_stream_bytes_total',
    help: 'Bytes that live streams have delivered.',
    read: () => live.delivered().bytes,
  })
}
