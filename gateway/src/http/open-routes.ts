import { hash } from 'node:crypto'
import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, Probes } from './app.ts'
import type { Spans } from '../operations/export-spans.ts'
import { routeNotFound } from '../problems/problem.ts'
import { addPublicDocuments } from './public-documents.ts'
import { reportCalls } from './report-calls.ts'
import { contextOf } from './request-context.ts'
import type { Serving } from './serving.ts'
import { THROTTLE_WINDOW_MS } from '../limiter/throttle-store.ts'
import { ProblemError, rateLimitOf, throttleError, type Throttles } from './throttles.ts'
import { ownPaths, routeTable } from '../routing/route-table.ts'

export type RoutesOptions = {
  serving: Serving
  throttles: Throttles
  spans: Spans | undefined
  probes: Probes
  /** Origin of the web pages; undefined if the gateway runs without them. */
  site: string | undefined
  securityContact: string
  now: () => number
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The routes that need no credential, throttled by address; probes and public documents. */
export function addOpenRoutes(app: App, options: RoutesOptions): void {
  const { throttles, serving, site, securityContact, now } = options
  for (const { pattern, who, throttle, isThrottledByAccount } of routeTable) {
    if (who !== 'anyone' && who !== 'anyone or session') continue
    const byAccount = isThrottledByAccount ? [accountThrottle(app, throttles)] : []
    app.route({
      method: METHODS,
      url: pattern,
      config: { rateLimit: rateLimitOf(throttle, throttles) },
      onRequest: async (request, reply) => rejectBody(request, reply, serving),
      preHandler: byAccount,
      handler: async (request, reply) => serveAnonymous(request, reply, options),
    })
  }
  addProbes(app, options.probes)
  addPublicDocuments(app, { site, securityContact, now, config: { rateLimit: rateLimitOf('public', throttles) } })
  const countUnknown = app.createRateLimit(rateLimitOf('public', throttles))
  app.setNotFoundHandler(async (request) => {
    const result = await countUnknown(request)
    if (!result.isAllowed && result.isExceeded) throw throttleError(result.ttl)
    throw new ProblemError(routeNotFound)
  })
}

async function rejectBody(request: FastifyRequest, reply: FastifyReply, serving: Serving): Promise<void> {
  const context = contextOf(request.raw)
  const problem = context === undefined ? undefined : serving.bodyProblem(context)
  if (problem === undefined) return
  reply.hijack()
  context?.response.sendProblem(problem)
}

async function serveAnonymous(request: FastifyRequest, reply: FastifyReply, options: RoutesOptions): Promise<void> {
  const context = contextOf(request.raw)
  reply.hijack()
  if (context === undefined) return
  if (context.route?.own === 'call reports') {
    reportCalls(context, request.body, options.spans)
    return
  }
  if (context.route?.service === 'gateway') {
    options.serving.serve(context)
    return
  }
  const body = Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : null
  context.bytesIn = body?.length ?? 0
  options.serving.forward(context, body)
}

/**
 * Requests that send mail are also counted by account and network, separately per call: a flood of requests from
 * elsewhere, or for another kind of link, does not block the owner's. Only a hash of the e-mail address is stored.
 */
function accountThrottle(app: App, throttles: Throttles) {
  const count = app.createRateLimit({
    max: throttles.account,
    timeWindow: THROTTLE_WINDOW_MS,
    keyGenerator: (request) => {
      const network = contextOf(request.raw)?.network ?? ''
      return `account:${request.routeOptions.url ?? ''}:${network}:${hash('sha256', emailIn(request.body))}`
    },
  })
  return async (request: FastifyRequest): Promise<void> => {
    if (request.method !== 'POST' || emailIn(request.body) === '') return
    const result = await count(request)
    if (!result.isAllowed && result.isExceeded) throw throttleError(result.ttl)
  }
}

/** The e-mail address as identity will parse it, also after a byte order mark. */
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

function addProbes(app: App, { isReady, isStopping, reportTiers }: Probes): void {
  const answerProbe =
    (isHealthy: () => boolean, details: () => object = () => ({})) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack()
      const status = isHealthy() ? 200 : 503
      const body = JSON.stringify({ status: status === 200 ? 'ok' : 'not ready', ...details() })
      const headers = ['content-type', 'application/json', 'cache-control', 'no-store']
      contextOf(request.raw)?.response.send(status, headers, body)
    }
  const isAlive = () => true
  app.get(ownPaths.live, answerProbe(isAlive))
  app.get(ownPaths.started, answerProbe(isAlive))
  const isServing = () => isReady() && !isStopping()
  app.get(
    ownPaths.ready,
    answerProbe(isServing, () => ({ tiers: reportTiers() })),
  )
}
