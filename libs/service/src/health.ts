import type { Registry } from '@prometheus-io/client'
import type { Server } from './create-server.ts'

export type HealthChecks = Record<string, () => Promise<unknown>>

const CHECK_TIMEOUT_MS = 1_000

export type HealthOptions = {
  checks: HealthChecks
  isStopping: () => boolean
  isAlive: () => boolean
  registry: Registry
  /** Included in the readiness response without affecting it. */
  reports?: Record<string, () => unknown>
}

/**
 * `/livez`: the process runs and is not stuck. `/startupz`: it has started. `/readyz`: its dependencies respond.
 * `/metrics`: Prometheus.
 */
export function addHealthRoutes(
  app: Server,
  { checks, isStopping, isAlive, registry, reports = {} }: HealthOptions,
): void {
  const open = { config: { access: 'open' as const }, schema: { hide: true } }
  app.get('/livez', open, async (_request, reply) =>
    isAlive() ? { status: 'ok' } : reply.code(503).send({ status: 'stuck' }),
  )
  app.get('/startupz', open, async () => ({ status: 'ok' }))
  app.get('/readyz', open, async (_request, reply) => {
    const results = Object.fromEntries(
      await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await outcomeOf(check)] as const)),
    )
    const isReady = !isStopping() && Object.values(results).every((result) => result === 'ok')
    const details = Object.fromEntries(Object.entries(reports).map(([name, report]) => [name, report()]))
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'not ready', checks: results, ...details })
  })
  app.get('/metrics', open, async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
}

async function outcomeOf(check: () => Promise<unknown>): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), CHECK_TIMEOUT_MS)
  })
  try {
    await Promise.race([check(), timeout])
    return 'ok'
  } catch (error) {
    return error instanceof Error ? error.message : 'failed'
  } finally {
    clearTimeout(timer)
  }
}
