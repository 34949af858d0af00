import { createServer } from 'node:http'
import type { GatewayMetrics } from './gateway-metrics.ts'
import type { StartOptions } from './start-options.ts'

/** Metrics are for the operator: on a port of their own, or nowhere. */
export function listenForMetrics({ config, running }: StartOptions, metrics: GatewayMetrics): void {
  if (config.ADMIN_PORT === 0) return
  const server = createServer((request, reply) => {
    const isMetrics = request.url === '/metrics'
    reply.writeHead(isMetrics ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4' })
    reply.end(isMetrics ? metrics.render() : '')
  })
  server.listen(config.ADMIN_PORT, config.HOST)
  running.onStop('metrics', () => server.close())
}
