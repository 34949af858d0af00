import { Registry } from '@prometheus-io/client'
import swagger from '@fastify/swagger'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Actor, ServiceName } from '@tapeline/contracts/actor'
import Fastify, { type FastifyInstance, type FastifyRequest, type RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from './logger.ts'
import { type Access, checkAccess, describeAccess } from './access.ts'
import { ACTOR_HEADER, verifyActorToken } from './actor-token.ts'
import { addHealthRoutes, type HealthChecks } from './health.ts'
import type { InternalKeys } from './internal-keys.ts'
import { AppError } from './app-error.ts'
import { createHttpMetrics, measureDeadLetters, measureLag, measureProcess } from './metrics.ts'
import { PROBLEM_CONTENT_TYPE } from '@tapeline/contracts/problem'
import { packAnswers } from './pack-answers.ts'
import { problemOf } from './problem.ts'
import { REJECTED_FIELDS_HEADER, writeRejectedFields } from './rejected-fields.ts'
import { toAppError } from './to-app-error.ts'
import { traceRequests } from './trace-requests.ts'
import { measureSettings } from './settings/measure-settings.ts'
import type { PlatformSettings } from './platform-settings.ts'
import { compileValidator } from './validator.ts'

export type Server = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Logger, TypeBoxTypeProvider>

export type ServerOptions = {
  name: ServiceName
  logger: Logger
  internalKeys: InternalKeys
  /** Dependencies that must respond before the process takes traffic; never Kafka. */
  checks: HealthChecks
  now: () => Date
  isStopping?: () => boolean
  /** False when only a restart can help: liveness fails. */
  isAlive?: () => boolean
  registry?: Registry
  /** Flags and global configurations; required by routes with a flag. */
  settings?: PlatformSettings
  /** Unapplied messages by consumer group. */
  lag?: () => ReadonlyMap<string, number>
  /** Number of dead letters; only in processes that run consumers. */
  deadLetters?: () => Promise<number>
  bodyLimitBytes?: number
}

const BODY_LIMIT_BYTES = 256 * 1024
/** Longer than the gateway's deadline for any call, so that the gateway times out first. */
const REQUEST_TIMEOUT_MS = 20_000
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** The gateway rejects longer paths. */
const PARAM_CHARACTERS_MAX = 8_192
const NETWORK_HEADER = 'x-client-network'
const USER_AGENT_MAX = 200

/**
 * Creates a server that refuses to start unless every route declares its access. Order of a request: authentication
 * (onRequest), authorization (preParsing), body, verb. Every failure is problem+json.
 * @throws Error for a route without `access`
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const registry = options.registry ?? new Registry()
  const app: Server = Fastify({
    loggerInstance: options.logger,
    logController: new Fastify.LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: options.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    genReqId: (request) => requestIdOf(request),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Fastify would answer a longer parameter without a problem body; this way the route reports what is wrong.
    routerOptions: { maxParamLength: PARAM_CHARACTERS_MAX },
  }).withTypeProvider<TypeBoxTypeProvider>()

  parseBodies(app)
  app.setValidatorCompiler(compileValidator)
  app.decorateRequest('actor')
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: `Tapeline ${options.name}`, version: '1' } },
    hideUntagged: false,
  })
  traceRequests(app, options.name)
  requireAccess(app, options)
  answerProblems(app)
  packAnswers(app)
  measure(app, registry)
  measureProcess(registry)
  const { settings } = options
  if (settings !== undefined) measureSettings(settings, registry)
  if (options.lag !== undefined) measureLag(options.lag, registry)
  if (options.deadLetters !== undefined) measureDeadLetters(options.deadLetters, registry)
  addHealthRoutes(app, {
    checks: options.checks,
    isStopping: options.isStopping ?? (() => false),
    isAlive: options.isAlive ?? (() => true),
    registry,
    ...(settings === undefined ? {} : { reports: { settings: () => settings.report() } }),
  })
  return app
}

/** Only JSON. Clients that name its type with every call do so without a body, too. */
function parseBodies(app: Server): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parseJson(request, body, done)
  })
}

function requireAccess(app: Server, { name, internalKeys, now, settings }: ServerOptions): void {
  const list: string[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined) throw new Error(`${String(method)} ${url} has no access declaration`)
    if (flagIn(config.access) !== undefined && settings === undefined) {
      throw new Error(`${String(method)} ${url} requires a feature flag, but this server has no settings`)
    }
    if (String(method) !== 'HEAD') list.push(`${String(method)} ${url}  ${describeAccess(config.access)}`)
  })
  app.decorate('accessList', () => list.toSorted())
  app.addHook('onRequest', async (request) => {
    request.actor = { kind: 'anonymous' }
    const access = request.routeOptions.config.access
    if (access === undefined || access === 'open') return
    const token = request.headers[ACTOR_HEADER]
    const verified =
      typeof token === 'string'
        ? verifyActorToken(internalKeys, { token, audience: name, nowMs: now().getTime() })
        : undefined
    if (verified === undefined) {
      throw new AppError('request.unauthenticated', 'This service accepts requests only through the gateway.')
    }
    request.actor = verified.caller === 'gateway' ? clientNetwork(verified.actor, request) : verified.actor
  })
  app.addHook('preParsing', async (request) => {
    const access = request.routeOptions.config.access
    if (access !== undefined) checkAccess(access, request.actor, settings)
  })
}

function flagIn(access: Access): string | undefined {
  return typeof access === 'object' && 'role' in access ? access.flag : undefined
}

/** Reads the call's origin from headers that the gateway sets; it removes them from external requests. */
function clientNetwork(actor: Actor, { headers }: FastifyRequest): Actor {
  if (actor.kind === 'service') return actor
  const { [NETWORK_HEADER]: network, 'user-agent': userAgent } = headers
  return {
    ...actor,
    ...(typeof network === 'string' ? { network } : {}),
    ...(userAgent === undefined ? {} : { userAgent: userAgent.slice(0, USER_AGENT_MAX) }),
  }
}

function answerProblems(app: Server): void {
  const routes: Route[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const verb of [method].flat()) routes.push({ method: verb, url })
  })
  app.addHook('preParsing', async (request) => {
    const { url = '' } = request.routeOptions
    if (!url.includes(':')) return
    const path = pathOf(request)
    // A fixed path (/tiers/history) is not a value of a sibling parameter (/tiers/:tier).
    const fixed = routes.filter((route) => route.url === path)
    if (fixed.length > 0) throw wrongMethod(allowedMethods(fixed, path))
  })
  app.setNotFoundHandler((request) => {
    const allowed = allowedMethods(routes, pathOf(request))
    if (allowed.length > 0) throw wrongMethod(allowed)
    throw new AppError('request.route_not_found', 'There is no such path.')
  })
  app.setErrorHandler((error, request, reply) => {
    const failure = toAppError(error)
    // After a client disconnect, the statement is cancelled intentionally.
    if (failure.status >= 500 && !reply.raw.destroyed)
      request.log.error(
        { err: failure, code: failure.code },
        `http: a request failed; the caller gets ${failure.status}`,
      )
    const rejectedFields = writeRejectedFields(failure.errors ?? [])
    return reply
      .code(failure.status)
      .headers({ 'cache-control': 'no-store', ...failure.headers, 'x-error-code': failure.code })
      .headers(rejectedFields === undefined ? {} : { [REJECTED_FIELDS_HEADER]: rejectedFields })
      .type(PROBLEM_CONTENT_TYPE)
      .serializer(JSON.stringify)
      .send(problemOf(failure, { requestId: request.id, path: pathOf(request) }))
  })
}

function wrongMethod(allowed: readonly string[]): AppError {
  return new AppError('request.method_not_allowed', `Use ${allowed.join(' or ')} here.`, {
    headers: { allow: allowed.join(', ') },
  })
}

function measure(app: Server, registry: Registry): void {
  const metrics = createHttpMetrics(registry)
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
  })
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/'
}

const REQUEST_ID = /^[0-9a-f]{32}$/

function requestIdOf(request: IncomingMessage): string {
  const header = request.headers['x-request-id']
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : crypto.randomUUID().replaceAll('-', '')
}

declare module 'fastify' {
  interface FastifyInstance {
    /** One line per route, `METHOD path  access`: the content of the golden access file. */
    accessList: () => string[]
  }
}

type Route = { method: string; url: string }

/** Methods under which a path exists; empty when the path does not exist. */
function allowedMethods(routes: readonly Route[], path: string): string[] {
  const found = routes.filter(({ url }) => matches(url, path)).map(({ method }) => method)
  return [...new Set(found)].toSorted()
}

function matches(pattern: string, path: string): boolean {
  const segments = pattern.split('/')
  const parts = path.split('/')
  return segments.length === parts.length && segments.every((part, n) => part.startsWith(':') || part === parts[n])
}
