import { startBalancer } from '@tapeline/testing/balancer'
import type { TestPlatform, TestPlatformOptions } from '@tapeline/testing/test-platform'
import { waitUntil } from '@tapeline/testing/wait-until'
import { type RepeatedRequest, repeatRequest, type RequestCounts } from '../repeat-request.ts'

/** Time for the balancer to detect that a gateway is terminating, and for every client to get one more answer. */
const LAME_DUCK_MS = 4_000
const LEFT_WITHIN_MS = 60_000
const CLIENTS_FOR_EACH = 2

/** Settings of the platform under a rolling restart. */
export const ROLLING: TestPlatformOptions = {
  gateways: 2,
  isRestarting: false,
  env: {
    gateway: { LAME_DUCK_MS: String(LAME_DUCK_MS), LIMITER_REPLY_WITHIN_MS: '1000' },
    'market-data': { SIMULATOR_HISTORY_HOURS: '1' },
  },
}

/** Each entry of `asking` has its own clients. */
export type RollingRestartOptions = { repeated: readonly RepeatedRequest[]; requestsMin: number }
export type RollingRestart = RequestCounts & {
  restarts: number
  /** Connections that the balancer handed to each gateway. */
  handed: Record<string, number>
}

/**
 * Restarts one gateway after the other behind a balancer, until this many requests are answered; clients do not retry.
 */
export async function rollingRestart(
  { gatewayUrls, processes, restart }: TestPlatform,
  { repeated, requestsMin }: RollingRestartOptions,
): Promise<RollingRestart> {
  const balancer = await startBalancer(gatewayUrls)
  const gateways = processes.filter(({ url }) => gatewayUrls.includes(url))
  const outcome: RollingRestart = { answered: 0, failed: {}, restarts: 0, handed: {} }
  for (const { url } of gateways) await balancer.untilHealthy(url)
  let isDone = false
  const clients = Array.from({ length: CLIENTS_FOR_EACH }, () =>
    repeated.map((one) => repeatRequest(balancer.url, one, outcome, () => isDone)),
  ).flat()
  do {
    for (const { name, url, pid } of gateways) {
      await waitForExit(name, pid)
      await restart(name)
      await balancer.untilHealthy(url)
      outcome.restarts += 1
    }
  } while (outcome.answered < requestsMin)
  isDone = true
  await Promise.all(clients)
  outcome.handed = Object.fromEntries(gateways.map(({ name, url }) => [name, balancer.handedTo(url)]))
  await balancer.stop()
  return outcome
}

/** Stops a gateway with the timeout of an orchestrator; the launcher's is shorter, because Ctrl-C waits for it. */
async function waitForExit(name: string, pid: () => number | undefined): Promise<void> {
  const running = pid()
  if (running === undefined) throw new Error(`${name} does not run`)
  process.kill(running, 'SIGTERM')
  await waitUntil(`${name} has left`, () => pid() === undefined, LEFT_WITHIN_MS)
}
