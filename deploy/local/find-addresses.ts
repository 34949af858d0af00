import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostsOf, withHosts } from './servers/database-address.ts'
import { dataFolder } from './folders.ts'
import { readPorts } from './ports/ports.ts'
import { runningMarker, runningVariable } from './processes/pid-file.ts'
import { databaseUrl } from './processes/process-environment.ts'
import { readSecrets, type ServiceName } from './secrets.ts'
import { StartProblem } from './start-problem.ts'

export type ServiceAddresses = { databaseUrl: string; redisUrl: string }

/** Index of the line of postmaster.pid that contains the port. */
const PORT_LINE = 3

/**
 * Addresses of a service's data: as configured (IDENTITY_DATABASE_URL, …, or a server in DATABASE_URL; REDIS_URL), or
 * those of the platform that runs from TAPELINE_DIR.
 */
export function findAddresses(service: ServiceName, env: NodeJS.ProcessEnv): ServiceAddresses {
  const own = env[`${service.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`]
  const dir = dataFolder(env)
  return { databaseUrl: own || databaseOf(service, dir, env), redisUrl: env.REDIS_URL || runningRedis(dir) }
}

/** Origin of the pages, for links: as configured, of the platform that runs from TAPELINE_DIR, or of one with these ports. */
export function findWebOrigin(env: NodeJS.ProcessEnv): string {
  const running = () => runningVariable(dataFolder(env), 'identity', 'WEB_ORIGIN')
  return env.WEB_ORIGIN || running() || `http://localhost:${readPorts(env).web}`
}

function databaseOf(service: ServiceName, dir: string, env: NodeJS.ProcessEnv): string {
  const server = env.DATABASE_URL || runningPostgres(dir)
  if (hostsOf(server).some((host) => !/^postgres(ql)?:$/.test(URL.parse(withHosts(server, host))?.protocol ?? ''))) {
    throw new StartProblem(
      'DATABASE_URL is not a PostgreSQL address.',
      'The format is postgres://user:password@host:port.',
    )
  }
  if (!existsSync(join(dir, 'secrets.json'))) {
    throw new StartProblem(`${join(dir, 'secrets.json')} is missing.`, 'Start the platform once with npm start.')
  }
  return databaseUrl(service, {
    addresses: { databaseUrl: server },
    secrets: readSecrets(dir),
    databasePrefix: env.DATABASE_PREFIX || 'tapeline_',
  })
}

function runningPostgres(dir: string): string {
  const port = readPort(join(dir, 'postgres', 'postmaster.pid'))
  if (port === undefined) throw notRunning(dir, 'DATABASE_URL')
  return `postgres://127.0.0.1:${port}`
}

/** Undefined without the file, and while PostgreSQL has not written the line yet. */
function readPort(file: string): number | undefined {
  if (!existsSync(file)) return undefined
  const port = Number.parseInt(readFileSync(file, 'utf8').split('\n')[PORT_LINE] ?? '', 10)
  return Number.isNaN(port) ? undefined : port
}

function runningRedis(dir: string): string {
  const marker = runningMarker(dir, 'redis')
  if (marker === undefined) throw notRunning(dir, 'REDIS_URL')
  return `redis://127.0.0.1${marker}`
}

function notRunning(dir: string, variable: string): StartProblem {
  return new StartProblem(`No platform runs from ${dir}.`, `Start one with npm start, or set ${variable}.`)
}
