import { mkdirSync } from 'node:fs'
import { cacheFolder } from '../folders.ts'
import { takeFreePort } from '../ports/free-port.ts'
import { findJava } from './java.ts'
import { startKafka } from './kafka.ts'
import { fetchFromMaven, mavenFolder } from './maven.ts'
import { PortInUse } from '../ports/port-in-use.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import { findInstalledRedis, findRedisBinary } from './redis-binary.ts'
import { silent, type Report } from '../report.ts'
import { readSecrets } from '../secrets.ts'
import type { ServerProcess } from './server-process.ts'

export type ServerName = 'postgres' | 'redis' | 'kafka'
export type ServerPorts = { postgres: number; redis: number; kafka: number; 'kafka-controller': number }
/** Runs one step and reports its progress. */
export type RunStep = <Result>(title: string, work: (report: Report) => Promise<Result>) => Promise<Result>

export type StartServersOptions = {
  dir: string
  /** Ports; free ones by default. */
  ports?: ServerPorts | 'free'
  /** Where DATABASE_URL, REDIS_URL and KAFKA_BROKERS are looked up; an empty object starts all three. */
  env?: NodeJS.ProcessEnv
  postgresSettings?: Record<string, string>
  step?: RunStep
}
export type Servers = {
  databaseUrl: string
  redisUrl: string
  kafkaBrokers: string
  /** Servers started here, by name; a restarted server keeps its port and data. */
  started: Partial<Record<ServerName, ServerProcess>>
  restart: (name: ServerName) => Promise<ServerProcess>
  stop: () => Promise<void>
}

const FREE_PORT_ATTEMPTS_MAX = 5

/** Starts PostgreSQL, Redis and Kafka in parallel, except those with a configured address. */
export async function startServers(options: StartServersOptions): Promise<Servers> {
  const env = options.env ?? process.env
  mkdirSync(options.dir, { recursive: true, mode: 0o700 })
  const step = options.step ?? (async (_title, work) => work(silent))
  const starters = createStarters(options)
  const started: Partial<Record<ServerName, ServerProcess>> = {}
  const start = async (name: ServerName, url: string | undefined, title: string): Promise<string> => {
    if (url !== undefined && url !== '') return url
    const server = await step(title, starters[name])
    started[name] = server
    return server.url
  }
  const stop = async (): Promise<void> => {
    await Promise.all([started.kafka?.stop(), started.redis?.stop(), started.postgres?.stop()])
  }
  const results = await Promise.allSettled([
    start('postgres', env.DATABASE_URL, 'PostgreSQL 18'),
    start('redis', env.REDIS_URL, 'Redis'),
    start('kafka', env.KAFKA_BROKERS, 'Kafka 4.3'),
  ])
  const failure = results.find((result) => result.status === 'rejected')
  if (failure !== undefined) {
    await stop()
    throw failure.reason
  }
  const [databaseUrl = '', redisUrl = '', kafkaBrokers = ''] = results.map((result) =>
    result.status === 'fulfilled' ? result.value : '',
  )
  const restart = async (name: ServerName): Promise<ServerProcess> => {
    await started[name]?.child.kill()
    const server = await starters[name](silent)
    started[name] = server
    return server
  }
  return { databaseUrl, redisUrl, kafkaBrokers, started, restart, stop }
}

type Starter = (report: Report) => Promise<ServerProcess>

/** Each server keeps the ports of its first start, so that a restart does not change its address. */
function createStarters(options: StartServersOptions): Record<ServerName, Starter> {
  const { dir, ports = 'free' } = options
  const cache = cacheFolder()
  return {
    postgres: withPorts(ports, ['postgres'], async ([port = 0], report) =>
      startPostgres({
        dir,
        port,
        report,
        password: readSecrets(dir).postgresPassword,
        settings: options.postgresSettings ?? {},
      }),
    ),
    redis: withPorts(ports, ['redis'], async ([port = 0], report) =>
      startRedis({ dir, port, report, binary: await findRedisBinary(cache, report) }),
    ),
    kafka: withPorts(ports, ['kafka', 'kafka-controller'], async ([port = 0, controllerPort = 0], report) => {
      const java = await findJava()
      const needsRedis = !options.env?.REDIS_URL && (await findInstalledRedis()) === undefined
      await fetchFromMaven(cache, needsRedis ? ['kafka', 'redis'] : ['kafka'], report)
      report('starting')
      return startKafka({ dir, port, controllerPort, report, jarsDir: mavenFolder(cache, 'kafka'), java })
    }),
  }
}

function withPorts(
  ports: ServerPorts | 'free',
  names: (keyof ServerPorts)[],
  start: (ports: number[], report: Report) => Promise<ServerProcess>,
): Starter {
  let settled: number[] | undefined = ports === 'free' ? undefined : names.map((name) => ports[name])
  return async (report) => {
    for (let attempt = 1; ; attempt += 1) {
      const chosen = settled ?? (await Promise.all(names.map(takeFreePort)))
      try {
        const server = await start(chosen, report)
        settled = chosen
        report(`:${chosen[0]}`)
        return server
      } catch (error) {
        if (settled !== undefined || !(error instanceof PortInUse) || attempt >= FREE_PORT_ATTEMPTS_MAX) throw error
      }
    }
  }
}
