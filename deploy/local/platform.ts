import { mkdirSync } from 'node:fs'
import type { DemoAccount } from '@tapeline/service/demo-accounts'
import { forgetVersions, isRestored } from './backup/after-restore.ts'
import { makeDemoAccounts, readDemoAccounts } from './demo-accounts.ts'
import { launcherLock } from './processes/launcher-lock.ts'
import { takeLock } from './processes/lock-file.ts'
import { bundlePackages } from './packages/bundled-packages.ts'
import { planProcesses, type PlanOptions, planWeb } from './processes/plan-processes.ts'
import { freePorts, type Ports } from './ports/ports.ts'
import { takeFreePort } from './ports/free-port.ts'
import { createDatabases, makeTopics, migrateServices, seedServices } from './prepare-databases.ts'
import { type Addresses, type BaseEnvironment, databaseUrl, serviceUrl } from './processes/process-environment.ts'
import { silent } from './report.ts'
import { readSecrets, SERVICES, type Secrets, type ServiceName } from './secrets.ts'
import { startServers, type RunStep, type ServerName, type Servers } from './servers/servers.ts'
import { startProcesses } from './processes/start-processes.ts'
import { StartProblem } from './start-problem.ts'
import { stopLeftovers } from './processes/stop-leftovers.ts'
import type { SupervisedProcess } from './processes/supervised-process.ts'
import { watchServers, type WatchedServers } from './servers/watch-servers.ts'
import { buildWeb } from './web/web-build.ts'

export type PlatformOptions = {
  /** Folder of data, secrets, logs and journals; tests use a temporary one. */
  dir: string
  ports?: Ports | 'free'
  gateways?: number
  /** Processes of each service: `identity`, `identity-2`, …; calls reach the others only by `overrideEnvironment`. */
  processesPerService?: number
  /**
   * Processes `stream-1`, … that serve live streams only, each for its part of the gateways; 0: market-data serves
   * them.
   */
  streamProcesses?: number
  /** More environment by process name (`gateway`, `identity`, …); `*` is for all. */
  env?: Record<string, NodeJS.ProcessEnv>
  overrideEnvironment?: PlanOptions['overrideEnvironment']
  /** Addresses of existing servers, as DATABASE_URL, REDIS_URL and KAFKA_BROKERS. */
  servers?: NodeJS.ProcessEnv
  /** Names of the processes to start; all by default. */
  only?: string[]
  isWatching?: boolean
  /** Whether a process that ends unexpectedly is restarted; `kill` and `restart` work in both cases. */
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
  mailUrl: string
  /** The identity provider of this machine. */
  providerUrl: string
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
  /** Stops everything in order: web and gateways, services, servers. */
  stop: () => Promise<void>
}

/** Starts the whole platform on this machine, for `npm start` and the test suites. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { dir } = options
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const lock = takeLock(launcherLock(dir))
  if (!lock.taken) {
    const holder = lock.holder?.pid ?? '?'
    throw new StartProblem(
      `Tapeline already runs from ${dir} (process ${holder}).`,
      `Stop it with kill ${holder}, or set TAPELINE_DIR (and TAPELINE_PORT_OFFSET) for a second one.`,
    )
  }
  const stops: Stop[] = []
  const stop = once(async () => {
    for (const each of stops.toReversed()) await each()
    lock.release()
  })
  try {
    return await startAll(withDefaults(options), stops, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

type Stop = () => Promise<unknown>
type Settled = Required<PlatformOptions>

function withDefaults(options: PlatformOptions): Settled {
  return {
    ports: 'free',
    gateways: 1,
    processesPerService: 1,
    streamProcesses: 0,
    env: {},
    overrideEnvironment: (_name, env) => env,
    servers: {},
    only: [],
    isWatching: false,
    isRestarting: true,
    postgresSettings: {},
    databasePrefix: 'tapeline_',
    topicPrefix: '',
    step: async (_title, work) => work(silent),
    onLine: () => undefined,
    onNotice: () => undefined,
    ...options,
  }
}

async function startAll(options: Settled, stops: Stop[], stop: Stop): Promise<Platform> {
  const { dir, step, onNotice, onLine, isRestarting, only } = options
  const ports = options.ports === 'free' ? await freePorts() : options.ports
  await stopLeftovers(dir, onNotice)
  const isSelected = (name: string): boolean => only.length === 0 || only.includes(name)
  const isBuilding = isSelected('web') && !options.isWatching
  const webBuild = isBuilding ? step('Web pages', buildWeb) : Promise.resolve(undefined)
  webBuild.catch(() => undefined)
  // Without the bundles, processes load the packages themselves.
  const bundles = bundlePackages(silent).catch(() => undefined)
  const servers = await startServers({ ...options, ports, env: options.servers })
  stops.push(servers.stop)
  await bundles
  const streamPorts = await Promise.all(Array.from({ length: options.streamProcesses }, () => takeFreePort()))
  const environment = { ...options, streamPorts, ports, secrets: readSecrets(dir), addresses: servers }
  await prepare(environment, step)

  const supervision = { dir, onNotice, onLine, isRestarting }
  const watched = watchServers(servers, supervision)
  stops.push(async () => watched.end())
  const plans = (await planProcesses(environment, options)).filter(({ name }) => isSelected(name))
  // Services start while the pages are built.
  const web = isSelected('web') ? [webBuild.then((root) => planWeb(environment, options, root))] : []
  const processes = await startProcesses([...plans, ...web], { step, stops, supervision })
  return describe(environment, { servers, watched, processes, stop })
}

async function prepare(environment: BaseEnvironment, step: RunStep): Promise<void> {
  makeDemoAccounts(environment.dir)
  await Promise.all([
    step('Databases', async (report) => {
      await createDatabases(environment)
      report(await migrateServices(environment, report))
    }),
    step('Kafka topics', async (report) => report(await makeTopics(environment))),
  ])
  const { dir, addresses } = environment
  if (isRestored(dir))
    await step('Restored databases', async (report) => report(await forgetVersions(dir, addresses.redisUrl)))
  await step('Seed', async (report) => report(await seedServices(environment, report)))
}

type Running = { servers: Servers; watched: WatchedServers; processes: SupervisedProcess[]; stop: Stop }

function describe(environment: BaseEnvironment, { servers, watched, processes, stop }: Running): Platform {
  const { dir, ports, secrets } = environment
  const { accounts, api_key: apiKey } = readDemoAccounts(dir)
  const named = (name: string): SupervisedProcess => {
    const found = processes.find((process) => process.name === name)
    if (found === undefined) throw new Error(`there is no process ${name}`)
    return found
  }
  return {
    dir,
    ports,
    gatewayUrl: `http://127.0.0.1:${ports.gateway}`,
    gatewayUrls: processes.filter(({ name }) => name.startsWith('gateway')).map(({ url }) => url),
    webUrl: `http://127.0.0.1:${ports.web}`,
    mailUrl: `http://127.0.0.1:${ports.mail}`,
    providerUrl: `http://localhost:${ports.oidc}`,
    serviceUrls: byService((service) => serviceUrl(service, ports)),
    databaseUrls: byService((service) => databaseUrl(service, environment)),
    addresses: servers,
    accounts,
    apiKey,
    secrets,
    processes,
    servers,
    kill: async (name) => (isServer(name) ? watched.kill(name) : named(name).kill()),
    restart: async (name) => (isServer(name) ? watched.restart(name) : named(name).restart()),
    stop: async () => void (await stop()),
  }
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
