import jwt from '@fastify/jwt'
import rateLimit from '@fastify/rate-limit'
import type { Logger } from '@tapeline/service/logger'
import { toAppError } from '@tapeline/service/to-app-error'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RawServerDefault } from 'fastify'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { answerUnreadable, HEADER_BYTES_MAX } from './answer-unreadable.ts'
import type { HeaderList } from './browser-policy.ts'
import { exchangeOf, GatewayReply, GatewayRequest } from './exchange.ts'
import { createFrontDoor } from './front-door.ts'
import type { Gateway } from './gateway.ts'
import { createMatch } from './match-upstream.ts'
import { refusal } from './refusal.ts'
import { addRoutes } from './routes.ts'
import type { ThrottleStore } from './throttle-store.ts'
import type { TiersReport } from './tier-documents.ts'
import { FAILURE_PATH, type Throttles, tooManyRequests } from './throttles.ts'
import { upstreams } from './upstreams.ts'

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Logger>
export type AppOptions = {
  logger: Logger
  throttleStore: ThrottleStore
  throttles: Throttles
  /** On the answers to bytes that are no request; all others carry them by the gateway's browser policy. */
  securityHeaders: HeaderList
  connectionsMax: number
  bodyBytesMax: number
  /** What `/readyz` waits for. */
  isReady: () => boolean
  /** Told there. */
  reportTiers: () => TiersReport
  isStopping: () => boolean
}

const unreadableAddress = refusal('request.invalid', 'The address cannot be read: its percent-encoding is broken.')

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 20_000
/** How late the two above may be noticed; Node's own default is half a minute. */
const TIMEOUTS_CHECKED_EVERY_MS = 1_000
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Silence on a connection that has a request open: longer than any deadline of a service. */
const IDLE_TIMEOUT_MS = 30_000

/** The framework around the front door: its server, throttles, access tokens and routes without credentials. */
export async function createApp(options: AppOptions): Promise<{ app: App; open: (gateway: Gateway) => Promise<void> }> {
  let frontDoor: ((request: GatewayRequest, reply: GatewayReply) => void) | undefined
  let framework: ((request: GatewayRequest, reply: GatewayReply) => void) | undefined
  const app: App = Fastify({
    loggerInstance: options.logger,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyBytesMax,
    genReqId: (request) => exchangeOf(request)?.requestId ?? '',
    rewriteUrl: (request) => (exchangeOf(request)?.failure === undefined ? (request.url ?? '/') : FAILURE_PATH),
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, options.securityHeaders),
    // The one thing that the framework refuses before any route: an address whose percent-encoding is broken.
    frameworkErrors(_error, request, reply) {
      reply.hijack()
      exchangeOf(request.raw)?.refuse(unreadableAddress)
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    serverFactory(handler) {
      framework = handler
      const server = listeningServer((request, reply) => frontDoor?.(request, reply), options.connectionsMax)
      return server as unknown as Server
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  await app.register(jwt, { secret: { public: async () => '' } })
  await app.register(rateLimit, {
    global: false,
    store: options.throttleStore,
    errorResponseBuilder: (_request, { ttl }) => tooManyRequests(ttl),
    addHeaders: NO_HEADERS,
    addHeadersOnExceeding: NO_HEADERS,
  })
  app.setErrorHandler((error, request, reply) => refuseBy(error, request, reply))
  return {
    app,
    async open(gateway) {
      addRoutes(app, gateway, options)
      await app.ready()
      const handOver = (request: GatewayRequest, reply: GatewayReply) => framework?.(request, reply)
      frontDoor = createFrontDoor({ gateway, match: createMatch(upstreams), handOver })
    },
  }
}

const NO_HEADERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
  'retry-after': false,
}

function refuseBy(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = toAppError(error)
  if (failure.status >= 500) request.log.error({ err: failure }, 'a request failed')
  const headers = Object.entries(failure.headers).flat()
  reply.hijack()
  exchangeOf(request.raw)?.refuse({ code: failure.code, text: failure.message, headers })
}

function listeningServer(listener: (request: GatewayRequest, reply: GatewayReply) => void, connectionsMax: number) {
  const server = createServer(
    {
      IncomingMessage: GatewayRequest,
      ServerResponse: GatewayReply,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      noDelay: true,
      // The front door looks for it, so that the answer is a problem like every other.
      requireHostHeader: false,
    },
    listener,
  )
  // An expectation nobody knows is ignored: left to itself, Node answers 417 without a body or headers.
  server.on('checkExpectation', listener)
  server.timeout = IDLE_TIMEOUT_MS
  server.maxConnections = connectionsMax
  return server
}
