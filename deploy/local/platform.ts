import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeDemoAccounts, readDemoAccounts, type DemoAccount } from './demo-accounts.ts'
import { launcherLock } from './launcher-lock.ts'
import { takeLock } from './lock-file.ts'
import { stopLeftover } from './pid-file.ts'
import { planProcesses } from './plan-processes.ts'
import { freePorts, type Ports } from './ports.ts'
import { createDatabases, makeTopics, migrateServices, seedServices } from './prepare-databases.ts'
import { databaseUrl, serviceUrl, type Addresses, type Surroundings } from './process-environment.ts'
import { silent } from './report.ts'
import { readSecrets, SERVICES, type Secrets, type ServiceName } from './secrets.ts'
import { startServers, type RunStep, type ServerName, type Servers } from './servers.ts'
import { StartProblem } from './start-problem.ts'
import { superviseProcess, type SupervisedProcess } from './supervised-process.ts'
import { watchServers } from './watch-servers.ts'
import { buildWeb } from './web-build.ts'

export type PlatformOptions = {
  /** Data, secrets, logs and journals; a test gives a temporary folder. */
  dir: string
  ports?: Ports | 'free'
  gateways?: number
  /** More environment by process name (`gateway`, `identity`, …); `*` is for all. */
  env?: Record<string, NodeJS.ProcessEnv>
  /** Addresses of servers that are there already, as DATABASE_URL, REDIS_URL and KAFKA_BROKERS. */
  servers?: NodeJS.ProcessEnv
  /** Which processes are wanted; all by default. */
  only?: string[]
  isWatching?: boolean
  /** Whether one that ends by itself is started again; `kill` and `restart` work either way. */
  isRestarting?: boolean
  postgresSettings?: Record<string, string>
  databasePrefix?: string
  topicPrefix?: string
  step?: RunStep
  onLine?: (name: string, line: string) => void
  onNotice?: (text: string) => void
}

export type Platform = {
  dir: string
  ports: Ports
  gatewayUrl: string
  gatewayUrls: string[]
  webUrl: string
  serviceUrls: Record<ServiceName, string>
  databaseUrls: Record<ServiceName, string>
  addresses: Addresses
  accounts: DemoAccount[]
  apiKey: string | null
  secrets: Secrets
  processes: SupervisedProcess[]
  servers: Servers
  /** kill -9 of one process or server; it stays down until it is restarted. */
  kill: (name: string) => Promise<void>
  /** Starts it (again) on the same port and data and waits until it is ready. */
  restart: (name: string) => Promise<void>
  /** Everything in order: web and gateways, services, Kafka, Redis, PostgreSQL. */
  stop: () => Promise<void>
}

/** The whole platform on this machine: what `npm start` shows and what the test suites use. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { dir } = options
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const lock = takeLock(launcherLock(dir))
  if (!lock.taken) {
    const holder = lock.holder?.pid
    throw new StartProblem(
      `Tapeline already runs from ${dir} (process ${holder ?? '?'}).`,
      `Stop it with kill ${holder ?? '<pid>'}, or set TAPELINE_DIR (and TAPELINE_PORT_OFFSET) for a second one.`,
    )
  }
  const stops: (() => Promise<unknown>)[] = []
  const stop = once(async () => {
    for (const each of stops.toReversed()) await each()
    lock.release()
  })
  try {
    return await bringUp(options, stops, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function bringUp(
  options: PlatformOptions,
  stops: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<Platform> {
  const { dir, step = async (_title, work) => work(silent), onNotice = () => undefined, gateways = 1 } = options
  const ports = options.ports === undefined || options.ports === 'free' ? await freePorts() : options.ports
  await stopLeftovers(dir, onNotice)
  const secrets = readSecrets(dir)
  makeDemoAccounts(dir)

  const webBuild = options.isWatching === true ? Promise.resolve(undefined) : step('Web pages', buildWeb)
  webBuild.catch(() => undefined)
  const servers = await startServers({
    dir,
    ports,
    env: options.servers ?? {},
    step,
    ...(options.postgresSettings === undefined ? {} : { postgresSettings: options.postgresSettings }),
  })
  stops.push(servers.stop)
  const { databasePrefix = 'tapeline_', topicPrefix = '' } = options
  const around: Surroundings = { dir, ports, secrets, addresses: servers, databasePrefix, topicPrefix, gateways }
  await Promise.all([
    step('Databases', async (report) => {
      await createDatabases(around)
      report(await migrateServices(around, report))
    }),
    step('Kafka topics', async (report) => report(await makeTopics(around))),
  ])
  await step('Seed', async (report) => report(await seedServices(around, report)))

  const supervision = {
    dir,
    onNotice,
    onLine: options.onLine ?? (() => undefined),
    isRestarting: options.isRestarting ?? true,
  }
  const watching = watchServers(servers, supervision)
  stops.push(async () => watching.end())
  const plans = await planProcesses(around, {
    isWatching: options.isWatching ?? false,
    webRoot: await webBuild,
    env: options.env ?? {},
  })
  const wanted = plans.filter(({ name }) => options.only === undefined || options.only.includes(name))
  const processes = await startProcesses(wanted, { step, stops, supervision })

  const named = (name: string): SupervisedProcess => {
    const found = processes.find((process) => process.name === name)
    if (found === undefined) throw new Error(`there is no process ${name}`)
    return found
  }
  const { accounts, api_key: apiKey } = readDemoAccounts(dir)
  return {
    dir,
    ports,
    gatewayUrl: `http://127.0.0.1:${ports.gateway}`,
    gatewayUrls: processes.filter(({ name }) => name.startsWith('gateway')).map(({ url }) => url),
    webUrl: `http://127.0.0.1:${ports.web}`,
    serviceUrls: byService((service) => serviceUrl(service, ports)),
    databaseUrls: byService((service) => databaseUrl(service, around)),
    addresses: servers,
    accounts,
    apiKey,
    secrets,
    processes,
    servers,
    kill: async (name) => (isServer(name) ? watching.kill(name) : named(name).kill()),
    restart: async (name) => (isServer(name) ? watching.restart(name) : named(name).restart()),
    stop,
  }
}

type Starting = {
  step: RunStep
  stops: (() => Promise<unknown>)[]
  supervision: Parameters<typeof superviseProcess>[1]
}

/** Stopped the other way round: first whoever takes requests, then whoever answers them. */
async function startProcesses(
  plans: Awaited<ReturnType<typeof planProcesses>>,
  { step, stops, supervision }: Starting,
): Promise<SupervisedProcess[]> {
  const isDoor = (name: string): boolean => name === 'web' || name.startsWith('gateway')
  const processes: SupervisedProcess[] = []
  const stopAll = async (doors: boolean): Promise<void> => {
    await Promise.all(processes.filter(({ name }) => isDoor(name) === doors).map(async (process) => process.stop()))
  }
  stops.push(
    async () => stopAll(false),
    async () => stopAll(true),
  )
  await Promise.all(
    plans.map(async (plan) =>
      step(plan.name, async (report) => {
        const process = await superviseProcess(plan, supervision)
        processes.push(process)
        report(`:${plan.port}`)
        await process.waitUntilReady()
      }),
    ),
  )
  return processes
}

/** What a killed launcher left running. */
async function stopLeftovers(dir: string, onNotice: (text: string) => void): Promise<void> {
  const runDir = join(dir, 'run')
  mkdirSync(runDir, { recursive: true, mode: 0o700 })
  const names = readdirSync(runDir).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []))
  await Promise.all(
    names.map(async (name) => {
      const pid = await stopLeftover(dir, name, name === 'postgres' ? 'SIGINT' : 'SIGTERM')
      if (pid !== undefined) onNotice(`stopped ${name} (process ${pid}), which an earlier start left running`)
    }),
  )
}

function byService(valueOf: (service: ServiceName) => string): Record<ServiceName, string> {
  return Object.fromEntries(SERVICES.map((service) => [service, valueOf(service)])) as Record<ServiceName, string>
}

function isServer(name: string): name is ServerName {
  return name === 'postgres' || name === 'redis' || name === 'kafka'
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return async () => (running ??= work())
}
