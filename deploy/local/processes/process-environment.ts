import { join } from 'node:path'
import { hostsOf, withHosts } from '../servers/database-address.ts'
import { cacheFolder } from '../folders.ts'
import { bundleOptions } from '../packages/bundled-packages.ts'
import type { Ports } from '../ports/ports.ts'
import { SERVICES, type Secrets, type ServiceName } from '../secrets.ts'
import { portVariable } from '../ports/port-in-use.ts'

export type Addresses = { databaseUrl: string; redisUrl: string; kafkaBrokers: string }
export type BaseEnvironment = {
  dir: string
  ports: Ports
  secrets: Secrets
  addresses: Addresses
  databasePrefix: string
  topicPrefix: string
  gateways: number
  /** Ports of the processes that serve live streams only; without one, market-data serves them. */
  streamPorts: readonly number[]
}

/** Ctrl-C has 10 s for everything, so one process may not drain that long. */
const DRAIN_TIMEOUT_MS = '2000'
/** Otherwise glibc keeps one heap per thread: about 13 MB of unused memory in a gateway. */
const MALLOC_ARENA_MAX = '2'

export function serviceEnvironment(name: ServiceName, environment: BaseEnvironment): NodeJS.ProcessEnv {
  return {
    ...sharedEnvironment(name, environment),
    PORT: String(environment.ports[name]),
    DATABASE_URL: databaseUrl(name, environment),
    REDIS_JOBS_URL: process.env.REDIS_JOBS_URL || environment.addresses.redisUrl,
    SNAPSHOT_DIR: join(environment.dir, 'snapshots'),
    ...ownSecret(name, environment.secrets),
    ...(name === 'identity' ? { ...mailEnvironment(environment.ports), ...oidcEnvironment(environment) } : {}),
    ...(name === 'market-data' ? marketDataFolders(environment.dir) : {}),
    ...(name === 'market-data' && environment.streamPorts.length > 0 ? { ROLES: 'http,consumer,jobs,ingest' } : {}),
    ...(name === 'audit'
      ? { GATEWAY_URL: `http://127.0.0.1:${environment.ports.gateway}`, ...lakeFolder(environment.dir) }
      : {}),
  }
}

function marketDataFolders(dir: string): NodeJS.ProcessEnv {
  return { ...lakeFolder(dir), RAW_DIR: process.env.RAW_DIR || join(dir, 'raw') }
}

/** Shared by market-data and audit: each has its own prefix in it. */
export function lakeFolder(dir: string): { LAKE_URL: string } {
  return { LAKE_URL: process.env.LAKE_URL || `file:${join(dir, 'lake')}` }
}

function ownSecret(name: ServiceName, secrets: Secrets): NodeJS.ProcessEnv {
  const { cursorSecret, webhookKey, evidenceKey, identitySecret } = secrets
  if (name === 'market-data') return { CURSOR_SECRET: cursorSecret }
  if (name === 'audit') {
    return { CURSOR_SECRET: cursorSecret, WEBHOOK_KEYS: webhookKey, EVIDENCE_KEYS: evidenceKey }
  }
  return name === 'identity' ? { IDENTITY_SECRET: identitySecret } : {}
}

/** The identity provider: the local one unless OIDC_ISSUER names another. */
export function oidcEnvironment({ ports, secrets }: Pick<BaseEnvironment, 'ports' | 'secrets'>): NodeJS.ProcessEnv {
  if (process.env.OIDC_ISSUER) return {}
  return {
    OIDC_ISSUER: `http://localhost:${ports.oidc}`,
    OIDC_CLIENT_ID: 'tapeline',
    OIDC_CLIENT_SECRET: secrets.oidcClientSecret,
  }
}

/** Mail goes to the mail server of this machine unless SMTP_URL names another. */
function mailEnvironment(ports: Ports): NodeJS.ProcessEnv {
  return {
    WEB_ORIGIN: process.env.WEB_ORIGIN || `http://localhost:${ports.web}`,
    SMTP_URL: process.env.SMTP_URL || `smtp://127.0.0.1:${ports.smtp}`,
  }
}

/** Gateways are numbered from 1; the first has the well-known port and journal. */
export function gatewayEnvironment(number: number, port: number, environment: BaseEnvironment): NodeJS.ProcessEnv {
  const web = environment.ports.web
  const streamPort = environment.streamPorts[(number - 1) % environment.streamPorts.length]
  return {
    ...sharedEnvironment('gateway', environment),
    PORT: String(port),
    GATEWAY_ID: gatewayName(number),
    JOURNAL_DIR: join(environment.dir, number === 1 ? 'journal' : `journal-${number}`),
    CORS_ORIGINS: process.env.CORS_ORIGINS || `http://localhost:${web},http://127.0.0.1:${web}`,
    GATEWAYS_EXPECTED: String(environment.gateways),
    ...(streamPort === undefined ? {} : { STREAM_URL: `http://127.0.0.1:${streamPort}` }),
  }
}

/** A process of market-data with the role `stream` alone. */
export function streamEnvironment(port: number, environment: BaseEnvironment): NodeJS.ProcessEnv {
  return { ...serviceEnvironment('market-data', environment), PORT: String(port), ROLES: 'stream' }
}

export function gatewayName(number: number): string {
  return number === 1 ? 'gateway' : `gateway-${number}`
}

export function databaseName(service: ServiceName, prefix: string): string {
  return prefix + service.replaceAll('-', '_')
}

type DatabasePlace = Pick<BaseEnvironment, 'secrets' | 'databasePrefix'> & { addresses: Pick<Addresses, 'databaseUrl'> }

export function databaseUrl(service: ServiceName, { addresses, secrets, databasePrefix }: DatabasePlace): string {
  const hosts = hostsOf(addresses.databaseUrl)
  const url = new URL(withHosts(addresses.databaseUrl, hosts[0] ?? ''))
  url.username = databaseName(service, databasePrefix)
  url.password = secrets.databasePasswords[service] ?? ''
  url.pathname = `/${databaseName(service, databasePrefix)}`
  return withHosts(url.href, hosts.join(','))
}

export function serviceUrl(name: ServiceName, ports: Ports): string {
  return `http://127.0.0.1:${ports[name]}`
}

/** Only the pairs in which a process is caller or audience. */
export function internalKeysOf(name: string, internalKeys: Record<string, string>): string {
  return Object.entries(internalKeys)
    .filter(([pair]) => pair.split('>').includes(name))
    .map(([pair, key]) => `${pair}=${key}`)
    .join(',')
}

function sharedEnvironment(
  name: string,
  { ports, secrets, addresses, topicPrefix }: BaseEnvironment,
): NodeJS.ProcessEnv {
  const urls = SERVICES.map(
    (service) => [portVariable(service).replace(/_PORT$/, '_URL'), serviceUrl(service, ports)] as const,
  )
  return {
    ...inheritedEnvironment(),
    ...Object.fromEntries(urls),
    HOST: '127.0.0.1',
    NODE_COMPILE_CACHE: join(cacheFolder(), 'node'),
    NODE_OPTIONS: bundleOptions().join(' '),
    MALLOC_ARENA_MAX,
    REDIS_URL: addresses.redisUrl,
    KAFKA_BROKERS: addresses.kafkaBrokers,
    KAFKA_TOPIC_PREFIX: topicPrefix,
    INTERNAL_KEYS: internalKeysOf(name, secrets.internalKeys),
    DRAIN_TIMEOUT_MS: process.env.DRAIN_TIMEOUT_MS || DRAIN_TIMEOUT_MS,
    NODE_ENV: process.env.NODE_ENV === 'development' ? 'development' : 'production',
  }
}

/** The caller's environment without the variables of npm and the secrets of the launcher. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const dropped = new Set([
    'DATABASE_URL',
    'BACKUP_ACCESS_KEY_ID',
    'BACKUP_SECRET_ACCESS_KEY',
    'NODE_OPTIONS',
    'NODE_V8_COVERAGE',
    'VITEST',
    'PORT',
  ])
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !dropped.has(name) && !/^(npm_|VITEST_)/.test(name)),
  )
}
