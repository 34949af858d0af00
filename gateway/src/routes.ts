import { hash } from 'node:crypto'
import { CALL_REPORTS_PATH } from '@tapeline/contracts/gateway/http'
import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import { AppError } from '@tapeline/service/app-error'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, AppOptions } from './app.ts'
import { addErrorPages } from './error-pages.ts'
import { exchangeOf } from './exchange.ts'
import type { Gateway } from './gateway.ts'
import { addPublicDocuments } from './public-documents.ts'
import { reportCalls } from './report-calls.ts'
import { bodyRefusal } from './request-body.ts'
import { forward, serve } from './serve.ts'
import {
  bucketOf,
  FAILURE_PATH,
  THROTTLE_WINDOW_MS,
  type Throttles,
  tooManyFailures,
  tooManyRequests,
} from './throttles.ts'
import { type Throttle, upstreams } from './upstreams.ts'

/** Counted by identity, which knows what was a guess and which devices are the account's own. */
const LOGIN = '/api/v1/internal/user/login'
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Routes that the framework serves: without a caller, throttled by address; probes; failures. */
export function addRoutes(app: App, gateway: Gateway, options: AppOptions): void {
  const { throttles } = options
  for (const { pattern, who, throttle } of upstreams) {
    if (who !== 'anyone' && who !== 'anyone or session') continue
    const byAccount = throttle === 'sign-in' && pattern !== LOGIN ? [accountThrottle(app, throttles)] : []
    app.route({
      method: METHODS,
      url: pattern,
      config: { rateLimit: limitOf(throttle, throttles) },
      onRequest: async (request, reply) => refuseBody(request, reply, gateway),
      preHandler: byAccount,
      handler: serveAnonymous,
    })
  }
  addFailureRoute(app, gateway, throttles)
  addProbes(app, options)
  addErrorPages(app, gateway.policy.site, { rateLimit: limitOf('public', throttles) })
  addPublicDocuments(app, {
    site: gateway.policy.site,
    securityContact: gateway.config.SECURITY_CONTACT,
    now: gateway.now,
    config: { rateLimit: limitOf('public', throttles) },
  })
  const countUnknown = app.createRateLimit(limitOf('public', throttles))
  app.setNotFoundHandler(async (request) => {
    const result = await countUnknown(request)
    if (!result.isAllowed && result.isExceeded) throw tooManyRequests(result.ttl)
    throw new AppError('request.route_not_found', 'There is no such route.')
  })
}

function limitOf(kind: Throttle, throttles: Throttles) {
  return {
    max: throttles[kind],
    timeWindow: THROTTLE_WINDOW_MS,
    keyGenerator: (request: FastifyRequest) => bucketOf(request, kind),
  }
}

async function refuseBody(request: FastifyRequest, reply: FastifyReply, { config }: Gateway): Promise<void> {
  const exchange = exchangeOf(request.raw)
  const problem = exchange === undefined ? undefined : bodyRefusal(exchange.request, config.BODY_BYTES_MAX)
  if (problem === undefined) return
  reply.hijack()
  exchange?.refuse(problem)
}

async function serveAnonymous(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const exchange = exchangeOf(request.raw)
  reply.hijack()
  if (exchange === undefined) return
  if (exchange.route?.pattern === CALL_REPORTS_PATH) {
    reportCalls(exchange, request.body)
    return
  }
  if (exchange.route?.service === 'gateway') {
    serve(exchange)
    return
  }
  const body = Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : null
  exchange.bytesIn = body?.length ?? 0
  forward(exchange, body)
}

/** What an account's mails are asked with also counts by the account, wherever from. The address is kept as a hash only. */
function accountThrottle(app: App, throttles: Throttles) {
  const count = app.createRateLimit({
    max: throttles.account,
    timeWindow: THROTTLE_WINDOW_MS,
    keyGenerator: (request) => `account:${hash('sha256', emailIn(request.body))}`,
  })
  return async (request: FastifyRequest): Promise<void> => {
    if (request.method !== 'POST' || emailIn(request.body) === '') return
    const result = await count(request)
    if (!result.isAllowed && result.isExceeded) throw tooManyRequests(result.ttl)
  }
}

/** The e-mail as identity will read it, also behind a byte order mark. */
function emailIn(body: unknown): string {
  if (!Buffer.isBuffer(body)) return ''
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    if (typeof value !== 'object' || value === null || !('email' in value)) return ''
    return typeof value.email === 'string' ? canonicalEmail(value.email) : ''
  } catch {
    return ''
  }
}

/** Reached only by a rewritten address: counts the failure, then answers it. */
function addFailureRoute(app: App, gateway: Gateway, throttles: Throttles): void {
  app.route({
    method: METHODS,
    url: FAILURE_PATH,
    config: {
      rateLimit: {
        max: throttles.failure,
        timeWindow: THROTTLE_WINDOW_MS,
        keyGenerator: (request: FastifyRequest) => bucketOf(request, 'failure'),
        errorResponseBuilder: (request: FastifyRequest, { ttl }: { ttl: number }) => {
          gateway.failures.block(exchangeOf(request.raw)?.address ?? '', ttl)
          return tooManyFailures(ttl)
        },
      },
    },
    preParsing: async (request) => {
      const failure = exchangeOf(request.raw)?.failure
      if (failure === undefined) throw new AppError('request.route_not_found', 'There is no such route.')
      throw new AppError(failure.code, failure.text)
    },
    handler: async () => {
      throw new AppError('request.route_not_found', 'There is no such route.')
    },
  })
}

function addProbes(app: App, { isReady, isStopping, reportTiers }: AppOptions): void {
  const answerProbe =
    (isGood: () => boolean, told: () => object = () => ({})) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack()
      const status = isGood() ? 200 : 503
      const body = JSON.stringify({ status: status === 200 ? 'ok' : 'not ready', ...told() })
      exchangeOf(request.raw)?.answer(status, ['content-type', 'application/json', 'cache-control', 'no-store'], body)
    }
  app.get(
    '/livez',
    answerProbe(() => true),
  )
  app.get(
    '/startupz',
    answerProbe(() => true),
  )
  app.get(
    '/readyz',
    answerProbe(
      () => isReady() && !isStopping(),
      () => ({ tiers: reportTiers() }),
    ),
  )
}
