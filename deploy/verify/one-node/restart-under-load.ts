import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { REPOSITORY } from '../../local/folders.ts'
import { runChild } from '../../local/processes/run-child.ts'
import type { ApiServer } from '../api-server.ts'
import { describeReached, type Reached } from '../tour-of-containers.ts'
import { inNamespace, waitForRollout } from './rollout.ts'

/** Number of answers required by the drill of the same name. */
const REQUESTS_MIN = 9_000
const FIRST_ANSWERS = 100
const BEGIN_WITHIN_MS = 300_000
const STOP_TIMEOUT_MS = 120_000
const POLL_INTERVAL_MS = 500
const LINES_SHOWN = 20

type RequestCounts = { answered: number; failed: Record<string, number> }

/**
 * Gateways, services and pages are restarted in turn while clients send requests to the gateway and through the pages.
 */
export async function restartUnderLoad(api: ApiServer, reached: Reached, dir: string): Promise<string> {
  const { configDatabaseUrl, redisUrl } = describeReached(reached)
  const elsewhere = {
    gatewayUrl: reached.gateway,
    databaseUrls: { config: configDatabaseUrl },
    addresses: { redisUrl },
    urls: [reached.gateway, reached.web],
  }
  const lines: string[] = []
  const load = await runChild({
    name: 'load',
    command: process.execPath,
    args: [join(REPOSITORY, 'tests', 'chaos', 'load-elsewhere.ts'), JSON.stringify(elsewhere)],
    dir,
    marker: dir,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    cwd: REPOSITORY,
    output: { onLine: (line) => lines.push(line) },
  })
  const latest = (): RequestCounts => JSON.parse(lines.at(-1) ?? '{"answered":0,"failed":{}}') as RequestCounts
  const ended = async (): Promise<never> => {
    await load.exited
    throw new Error(`the load generator exited unexpectedly:\n${lines.slice(-LINES_SHOWN).join('\n')}`)
  }
  let restarted: number
  try {
    restarted = await Promise.race([restartUntil(api, latest), ended()])
  } finally {
    await load.stop()
  }
  const { answered, failed } = latest()
  const failures = Object.entries(failed).map(([what, times]) => `${what}: ${times}`)
  const sum = `${answered} answered, ${restarted} workloads restarted`
  if (failures.length > 0) throw new Error(`${failures.join('\n')}\n${sum}`)
  return `${sum}, 0 failed`
}

async function restartUntil(api: ApiServer, latest: () => RequestCounts): Promise<number> {
  const until = Date.now() + BEGIN_WITHIN_MS
  while (latest().answered < FIRST_ANSWERS) {
    if (Date.now() > until) throw new Error('no answers came')
    await sleep(POLL_INTERVAL_MS)
  }
  let restarted = 0
  do restarted += await restartAll(api)
  while (latest().answered < REQUESTS_MIN)
  return restarted
}

/** Workloads that serve requests: the gateways, the HTTP services, the pages. */
async function restartAll({ kubectl }: ApiServer): Promise<number> {
  const services = await inNamespace(kubectl, [
    'get',
    'deployments',
    '--selector=app.kubernetes.io/component=http',
    '--output=name',
  ])
  const workloads = ['statefulset/gateway', ...services.split('\n'), 'deployment/web']
  for (const workload of workloads) {
    await inNamespace(kubectl, ['rollout', 'restart', workload])
    await waitForRollout(kubectl, [workload])
  }
  return workloads.length
}
