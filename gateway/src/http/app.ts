import jwt from '@fastify/jwt'
import rateLimit from '@fastify/rate-limit'
import type { Logger } from '@tapeline/service/logger'
import { toAppError } from '@tapeline/service/to-app-error'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RawServerDefault } from 'fastify'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { answerUnreadable, HEADER_BYTES_MAX } from './answer-unreadable.ts'
import type { HeaderList } from './browser-policy.ts'
import { newProblem } from '../problems/problem.ts'
import { contextOf, GatewayRequest, GatewayResponse } from './request-context.ts'
import type { RequestListener } from './request-pipeline.ts'
import { ProblemError, rateLimitStoreOf, throttleError } from './throttles.ts'
import type { ThrottleStore } from '../limiter/throttle-store.ts'
import type { TiersReport } from '../operations/worker-report.ts'

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Logger>
/** What `/readyz` reports. */
export type Probes = { isReady: () => boolean; isStopping: () => boolean; reportTiers: () => TiersReport }
export type AppOptions = {
  logger: Logger
  throttleStore: ThrottleStore
  /** On answers to bytes that are not a request; all others carry them by the gateway's browser policy. */
  securityHeaders: HeaderList
  connectionsMax: number
  bodyBytesMax: number
}
export type Framework = {
  app: App
  /** Sends each request to `createPipeline`'s listener, which may pass it on to Fastify's own. */
  open: (createPipeline: (framework: RequestListener) => RequestListener) => Promise<void>
}

const unreadableAddress = newProblem('request.invalid', 'The address cannot be read: its percent-encoding is broken.')

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 20_000
/** How late the two above may be noticed; Node's own default is half a minute. */
const TIMEOUTS_CHECKED_EVERY_MS = 1_000
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Silence on a connection that has a request open: longer than any deadline of a service. */
const IDLE_TIMEOUT_MS = 30_000

/** Fastify and its server, behind the request pipeline: throttles, access tokens and the routes without credentials. */
export async function createApp(options: AppOptions): Promise<Framework> {
  let pipeline: RequestListener | undefined
  let framework: RequestListener | undefined
  const app: App = Fastify({
    loggerInstance: options.logger,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyBytesMax,
    genReqId: (request) => contextOf(request)?.requestId ?? '',
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, options.securityHeaders),
    // The one thing that Fastify rejects before any route: an address whose percent-encoding is broken.
    frameworkErrors(_error, request, reply) {
      reply.hijack()
      contextOf(request.raw)?.response.sendProblem(unreadableAddress)
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    serverFactory(handler) {
      framework = handler
      const server = listeningServer((request, reply) => pipeline?.(request, reply), options.connectionsMax)
      return server as unknown as Server
    },
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
    async open(createPipeline) {
      await app.ready()
      pipeline = createPipeline((request, reply) => framework?.(request, reply))
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
  const response = contextOf(request.raw)?.response
  if (error instanceof ProblemError) {
    response?.sendProblem(error.problem)
    return
  }
  const failure = toAppError(error)
  if (failure.status >= 500) request.log.error({ err: failure }, 'http: a request failed; the caller gets 500')
  const headers = Object.entries(failure.headers).flat()
  response?.sendProblem({ code: failure.code, text: failure.message, headers })
}

function listeningServer(listener: RequestListener, connectionsMax: number) {
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
      // The pipeline checks it, so that the answer is a problem like every other.
      requireHostHeader: false,
    },
    listener,
  )
  // An unknown expectation is ignored: by default, Node answers 417 without a body or headers.
  server.on('checkExpectation', listener)
  server.timeout = IDLE_TIMEOUT_MS
  server.maxConnections = connectionsMax
  return server
}
