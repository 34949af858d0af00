import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../folders.ts'
import { takeFreePort } from '../ports/free-port.ts'
import {
  gatewayEnvironment,
  gatewayName,
  inheritedEnvironment,
  oidcEnvironment,
  serviceEnvironment,
  streamEnvironment,
  type BaseEnvironment,
} from './process-environment.ts'
import type { ServiceName } from '../secrets.ts'
import type { ProcessPlan } from './supervised-process.ts'

export type PlanOptions = {
  isWatching: boolean
  /** Processes of each service. */
  processesPerService: number
  /** Additional environment by process name; `*` applies to all. */
  env: Record<string, NodeJS.ProcessEnv>
  /** Final override of a process's environment: a test puts a proxy between the process and a server. */
  overrideEnvironment: (name: string, env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv
}

const START_ORDER: ServiceName[] = ['config', 'identity', 'api-key', 'audit', 'market-data']
type Heap = { oldMb: number; semiSpaceMb: number; flags?: string[] }
/**
 * Small heaps: eight processes share one machine with three servers. The gateway allocates fast enough to need more space,
 * and so does market-data, whose pages of a large lake take more CPU with 4 MB for young objects. The gateway
 * collects garbage on its main thread: with helper threads on one core, the slowest answers took twice as long (k8s and
 * compose use the same options; figures in docs/benchmarks).
 */
const HEAPS = {
  service: { oldMb: 256, semiSpaceMb: 4 },
  marketData: { oldMb: 256, semiSpaceMb: 16 },
  gateway: { oldMb: 384, semiSpaceMb: 8, flags: ['--single-threaded-gc'] },
  web: { oldMb: 96, semiSpaceMb: 4 },
  viteServer: { oldMb: 384, semiSpaceMb: 16 },
}

/** Every process but the web server, in start order: config first, because the others call it. */
export async function planProcesses(environment: BaseEnvironment, options: PlanOptions): Promise<ProcessPlan[]> {
  const plans: ProcessPlan[] = []
  for (let number = 1; number <= options.processesPerService; number += 1) {
    for (const service of START_ORDER) plans.push(await planService(service, number, environment, options))
  }
  for (const [index, port] of environment.streamPorts.entries()) {
    const script = join(REPOSITORY, 'services', 'market-data', 'src', 'main.ts')
    const env = streamEnvironment(port, environment)
    plans.push(planNode({ name: `stream-${index + 1}`, port, script, heap: HEAPS.service, env }, options))
  }
  for (let number = 1; number <= environment.gateways; number += 1) {
    const port = number === 1 ? environment.ports.gateway : await takeFreePort()
    const script = join(REPOSITORY, 'gateway', 'src', 'main.ts')
    plans.push(
      planNode(
        {
          name: gatewayName(number),
          port,
          script,
          heap: HEAPS.gateway,
          env: gatewayEnvironment(number, port, environment),
        },
        options,
      ),
    )
  }
  if (!process.env.SMTP_URL || !process.env.OIDC_ISSUER) plans.push(planMail(environment, options))
  return plans.filter(({ args }) => existsSync(args.at(-1) ?? ''))
}

/** The first of each service has the well-known port; one process of market-data alone ingests. */
async function planService(
  service: ServiceName,
  number: number,
  environment: BaseEnvironment,
  options: PlanOptions,
): Promise<ProcessPlan> {
  const script = join(REPOSITORY, 'services', service, 'src', 'main.ts')
  const own = serviceEnvironment(service, environment)
  const heap = service === 'market-data' ? HEAPS.marketData : HEAPS.service
  if (number === 1) {
    return planNode({ name: service, port: environment.ports[service], script, heap, env: own }, options)
  }
  const port = await takeFreePort()
  const env = { ...own, PORT: String(port), SNAPSHOT_DIR: join(environment.dir, `snapshots-${number}`) }
  const roles = service === 'market-data' ? { ROLES: 'http,consumer,jobs,stream' } : {}
  return planNode({ name: `${service}-${number}`, port, script, heap, env: { ...env, ...roles } }, options)
}

/** Local mail server and identity provider, in one process; each only if no other one is configured. */
function planMail(environment: BaseEnvironment, options: PlanOptions): ProcessPlan {
  const { ports, dir } = environment
  const webOrigin = process.env.WEB_ORIGIN || `http://localhost:${ports.web}`
  const env = {
    ...inheritedEnvironment(),
    ...oidcEnvironment(environment),
    OIDC_PORT: process.env.OIDC_ISSUER ? '' : String(ports.oidc),
    OIDC_REDIRECT_URI: `${webOrigin}/dashboard`,
    HOST: '127.0.0.1',
    PORT: String(ports.mail),
    SMTP_PORT: process.env.SMTP_URL ? '' : String(ports.smtp),
    MAIL_DIR: join(dir, 'mail'),
  }
  const script = join(import.meta.dirname, '..', 'mail', 'mail-server.ts')
  return planNode({ name: 'mail', port: ports.mail, script, heap: HEAPS.web, env }, { ...options, isWatching: false })
}

/** `webRoot`: the built pages; without them, Vite serves their sources. */
export function planWeb(
  { ports }: BaseEnvironment,
  options: PlanOptions,
  webRoot: string | undefined,
): ProcessPlan | undefined {
  const script = join(import.meta.dirname, '..', 'web', webRoot === undefined ? 'web-dev-server.ts' : 'web-server.ts')
  if (!existsSync(join(REPOSITORY, 'web', 'index.html'))) return undefined
  const env = {
    ...inheritedEnvironment(),
    HOST: '127.0.0.1',
    PORT: String(ports.web),
    GATEWAY_PORT: String(ports.gateway),
    MAIL_PORT: process.env.SMTP_URL ? '' : String(ports.mail),
    WEB_ROOT: webRoot ?? '',
    VITE_ENVIRONMENT: 'local',
  }
  return planNode(
    {
      name: 'web',
      port: ports.web,
      script,
      heap: webRoot === undefined ? HEAPS.viteServer : HEAPS.web,
      env,
    },
    { ...options, isWatching: false },
  )
}

type NodeProgram = { name: string; port: number; script: string; heap: Heap; env: NodeJS.ProcessEnv }

function planNode({ name, port, script, heap, env }: NodeProgram, options: PlanOptions): ProcessPlan {
  return {
    name,
    port,
    args: [
      `--max-old-space-size=${heap.oldMb}`,
      `--max-semi-space-size=${heap.semiSpaceMb}`,
      ...(heap.flags ?? []),
      ...(options.isWatching ? ['--watch', '--watch-preserve-output'] : []),
      script,
    ],
    env: options.overrideEnvironment(name, { ...env, ...options.env['*'], ...options.env[name] }),
    readyUrl: `http://127.0.0.1:${port}/readyz`,
  }
}
