import jwt from '@fastify/jwt'
import rateLimit from '@fastify/rate-limit'
import type { Logger } from '@tapeline/service/logger'
import { toAppError } from '@tapeline/service/to-app-error'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RawServerDefault } from 'fastify'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { acceptUpgrades, isWebSocketRequest } from './accept-upgrades.ts'
import { answerUnreadable, HEADER_BYTES_MAX } from './answer-unreadable.ts'
import type { HeaderList } from './browser-policy.ts'
import { contextOf, GatewayRequest, GatewayResponse, pathOf } from './request-context.ts'
import type { RequestPipeline } from './request-pipeline.ts'
import { ProblemError, rateLimitStoreOf, throttleError } from './throttles.ts'
import type { ThrottleStore } from '../limiter/throttle-store.ts'
import type { TiersReport } from '../operations/worker-report.ts'

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Logger>
/** State that `/readyz` reports. */
export type Probes = { isReady: () => boolean; isStopping: () => boolean; reportTiers: () => TiersReport }
export type AppOptions = {
  logger: Logger
  throttleStore: ThrottleStore
  /** Headers of answers to bytes that are not a request; all other answers get them from the browser policy. */
  securityHeaders: HeaderList
  connectionsMax: number
  bodyBytesMax: number
  /** Whether the path answers a WebSocket; elsewhere `Upgrade` is ignored. */
  isStream: (path: string) => boolean
}
export type Framework = {
  app: App
  /** From here on every request is passed to the pipeline. */
  open: (pipeline: Pipeline) => Promise<void>
}
type Listener = (request: IncomingMessage, reply: ServerResponse) => void
type Pipeline = Pick<RequestPipeline, 'receive' | 'receiveUnroutable'>

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 20_000
/** Interval at which the two timeouts are checked; Node's own default is half a minute. */
const TIMEOUTS_CHECKED_EVERY_MS = 1_000
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Silence on a connection that has a request open: longer than any deadline of a service. */
const IDLE_TIMEOUT_MS = 30_000

/** Fastify and its server; the request pipeline is its first hook and answers every route that needs a credential. */
export async function createApp(options: AppOptions): Promise<Framework> {
  let pipeline: Pipeline | undefined
  const app: App = Fastify({
    loggerInstance: options.logger,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    // A child logger per request would cost more than the router; lines name the request id themselves.
    childLoggerFactory: (logger) => logger,
    bodyLimit: options.bodyBytesMax,
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, options.securityHeaders),
    // The one thing that Fastify rejects before any hook: a URL whose percent-encoding is invalid.
    frameworkErrors(_error, request, reply) {
      reply.hijack()
      const [own, ownReply] = [request.raw, reply.raw]
      if (own instanceof GatewayRequest && ownReply instanceof GatewayResponse)
        pipeline?.receiveUnroutable(own, ownReply)
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    serverFactory: (handler) => listeningServer(handler, options) as unknown as Server,
  })
  app.addHook('onRequest', ({ raw }, reply, next) => {
    if (raw instanceof GatewayRequest && reply.raw instanceof GatewayResponse) pipeline?.receive(raw, reply.raw, next)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  await app.register(jwt, { secret: { public: async () => '' } })
  await app.register(rateLimit, {
    global: false,
    store: rateLimitStoreOf(options.throttleStore),
    errorResponseBuilder: (_request, { ttl }) => throttleError(ttl),
    addHeaders: NO_HEADERS,
    addHeadersOnExceeding: NO_HEADERS,
  })
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  return {
    app,
    async open(opened) {
      await app.ready()
      pipeline = opened
    },
  }
}

const NO_HEADERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
  'retry-after': false,
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  const context = contextOf(request.raw)
  const response = context?.response
  if (error instanceof ProblemError) {
    response?.sendProblem(error.problem)
    return
  }
  const failure = toAppError(error)
  if (failure.status >= 500) {
    request.log.error({ err: failure, requestId: context?.requestId }, 'http: a request failed; the caller gets 500')
  }
  const headers = Object.entries(failure.headers).flat()
  response?.sendProblem({ code: failure.code, text: failure.message, headers })
}

function listeningServer(listener: Listener, { connectionsMax, isStream }: AppOptions) {
  const server = createServer(
    {
      IncomingMessage: GatewayRequest,
      ServerResponse: GatewayResponse,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      noDelay: true,
      shouldUpgradeCallback: (request) => isWebSocketRequest(request) && isStream(pathOf(request.url ?? '/')),
      // The pipeline checks it, so that the answer is a problem like every other.
      requireHostHeader: false,
    },
    listener,
  )
  // Node reads the address at its first use, and has none once a client has reset its connection.
  server.on('connection', (socket: Socket) => {
    if (socket.remoteAddress === undefined) socket.destroy()
  })
  // An unknown expectation is ignored: by default, Node returns 417 without a body or headers.
  server.on('checkExpectation', listener)
  acceptUpgrades(server, listener)
  server.timeout = IDLE_TIMEOUT_MS
  server.maxConnections = connectionsMax
  return server
}
