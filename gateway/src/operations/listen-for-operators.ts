import { createServer, type ServerResponse } from 'node:http'
import type { Process } from '@tapeline/service/process/run-process'
import type { Config } from '../config.ts'
import { ownPaths } from '../routing/route-table.ts'
import { mergeMetrics } from './merge-metrics.ts'
import type { ProcessReport } from './worker-report.ts'

export type OperatorOptions = {
  config: Pick<Config, 'ADMIN_PORT' | 'HOST'>
  running: Pick<Process, 'onStop' | 'isStopping'>
  /** One for each process of this gateway; undefined: it does not answer. */
  report: () => Promise<(ProcessReport | undefined)[]>
}

/** Metrics and readiness of the whole gateway, for operators: on a port of their own, or not at all. */
export function listenForOperators({ config, running, report }: OperatorOptions): void {
  if (config.ADMIN_PORT === 0) return
  const server = createServer((request, reply) => {
    void report().then((reports) => {
      if (request.url === '/metrics') answer(reply, 200, 'text/plain; version=0.0.4', metricsOf(reports))
      else if (request.url === ownPaths.ready) answerReadiness(reply, reports, running.isStopping())
      else answer(reply, 404, 'text/plain', '')
    })
  })
  server.listen(config.ADMIN_PORT, config.HOST)
  running.onStop('operators', () => server.close())
}

function metricsOf(reports: (ProcessReport | undefined)[]): string {
  const texts = reports.map((report, process) => ({ process, text: report?.metrics ?? '' }))
  const up = reports.map(
    (report, process) => `gateway_process_up{process="${process}"} ${Number(report !== undefined)}`,
  )
  const merged = texts.length === 1 ? (texts[0]?.text ?? '') : mergeMetrics(texts)
  return `${merged}# HELP gateway_process_up 1 while the process answers.\n# TYPE gateway_process_up gauge\n${up.join('\n')}\n`
}

/** A restarting process does not take the gateway out of the load balancer: the others serve. */
function answerReadiness(reply: ServerResponse, reports: (ProcessReport | undefined)[], isStopping: boolean): void {
  const isReady = !isStopping && reports.some((report) => report?.isReady === true)
  const processes = reports.map((report) => ({
    pid: report?.pid ?? null,
    ready: report?.isReady ?? false,
    tiers: report?.tiers ?? null,
  }))
  const body = JSON.stringify({ status: isReady ? 'ok' : 'not ready', processes })
  answer(reply, isReady ? 200 : 503, 'application/json', body)
}

function answer(reply: ServerResponse, status: number, type: string, body: string): void {
  reply.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}
