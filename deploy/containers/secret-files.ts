import { databaseUrl, internalKeysOf } from '../local/processes/process-environment.ts'
import { SERVICES, type Secrets, type ServiceName } from '../local/secrets.ts'
import type { Passwords } from './passwords.ts'
import { hash } from 'node:crypto'

/** Secrets that depend on the installation: the mail server and the client at an identity provider. */
export type ExternalSettings = { SMTP_URL?: string | undefined; OIDC_CLIENT_SECRET?: string | undefined }

const DATABASE_PREFIX = 'tapeline_'
const MAIL_SERVER = 'smtp://mail:3025'

/** Each secret of a container installation in its own file; a container gets only its own files. */
export function secretFiles(
  secrets: Secrets,
  passwords: Passwords,
  settings: ExternalSettings = {},
): Record<string, string> {
  const files: Record<string, string> = {
    'secrets.json': JSON.stringify(secrets, null, 2),
    'passwords.json': JSON.stringify(passwords, null, 2),
    'postgres-password': secrets.postgresPassword,
    'grafana-password': passwords.grafana,
    'redis-limits.acl': redisLimitsUsers(passwords.redisLimits),
    'redis-jobs.acl': redisJobsUsers(passwords.redisJobs),
    'kafka-jaas.conf': jaasFile(passwords.kafka),
    'gateway.env': lines({
      REDIS_URL: limitsUrl('gateway', passwords),
      KAFKA_BROKERS: kafkaUrl('gateway', passwords),
      INTERNAL_KEYS: internalKeysOf('gateway', secrets.internalKeys),
    }),
    'migrate.env': lines({
      DATABASE_URL: `postgres://postgres:${secrets.postgresPassword}@postgres:5432/postgres`,
      REDIS_URL: limitsUrl('prepare', passwords),
      KAFKA_BROKERS: kafkaUrl('admin', passwords),
    }),
    'backup.env': lines({
      PGHOST: 'postgres',
      PGPORT: '5432',
      PGUSER: `${DATABASE_PREFIX}backup`,
      PGPASSWORD: passwords.backup,
      PGSSLMODE: 'prefer',
    }),
    'scaler.env': lines({
      KAFKA_USERNAME: 'scaler',
      KAFKA_PASSWORD: passwords.kafka['scaler'] ?? '',
      REDIS_USERNAME: 'scaler',
      REDIS_PASSWORD: passwords.redisJobs['scaler'] ?? '',
    }),
  }
  for (const service of SERVICES) files[`${service}.env`] = lines(serviceSecrets(service, secrets, passwords, settings))
  return files
}

function serviceSecrets(service: ServiceName, secrets: Secrets, passwords: Passwords, settings: ExternalSettings) {
  const addresses = { databaseUrl: 'postgres://postgres:5432' }
  return {
    DATABASE_URL: databaseUrl(service, { addresses, secrets, databasePrefix: DATABASE_PREFIX }),
    // market-data does not use the limiter, but its configuration requires an address.
    REDIS_URL: service === 'market-data' ? jobsUrl(service, passwords) : limitsUrl(service, passwords),
    REDIS_JOBS_URL: jobsUrl(service, passwords),
    KAFKA_BROKERS: kafkaUrl(service, passwords),
    INTERNAL_KEYS: internalKeysOf(service, secrets.internalKeys),
    ...(service === 'audit' || service === 'market-data' ? { CURSOR_SECRET: secrets.cursorSecret } : {}),
    ...(service === 'audit' ? { WEBHOOK_KEYS: secrets.webhookKey, EVIDENCE_KEYS: secrets.evidenceKey } : {}),
    ...(service === 'identity'
      ? {
          IDENTITY_SECRET: secrets.identitySecret,
          SMTP_URL: settings.SMTP_URL ?? MAIL_SERVER,
          OIDC_CLIENT_SECRET: settings.OIDC_CLIENT_SECRET ?? '',
        }
      : {}),
  }
}

function limitsUrl(user: string, { redisLimits }: Passwords): string {
  return `redis://${user}:${redisLimits[user]}@redis-limits:6379`
}

function jobsUrl(user: string, { redisJobs }: Passwords): string {
  return `redis://${user}:${redisJobs[user]}@redis-jobs:6379`
}

function kafkaUrl(user: string, { kafka }: Passwords): string {
  return `kafka://${user}:${kafka[user]}@kafka:9092`
}

/** `NAME=value` without quotes, which both Node's --env-file and kustomize can parse. */
function lines(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/** A new version of a file, with the lines of the existing one that set other names. */
export function keepAddedLines(text: string, existing: string): string {
  const names = new Set(text.split('\n').map(nameOf))
  const added = existing.split('\n').filter((line) => line.includes('=') && !names.has(nameOf(line)))
  return text + added.map((line) => `${line}\n`).join('')
}

function nameOf(line: string): string {
  return line.split('=', 1)[0] ?? ''
}

/**
 * Users of the broker and the user of its internal connections; libs/events/src/topics/make-grants.ts grants their
 * rights.
 */
function jaasFile(passwords: Record<string, string>): string {
  const users = Object.entries(passwords).map(([user, password]) => `  user_${user}="${password}"`)
  return `KafkaServer {
  org.apache.kafka.common.security.plain.PlainLoginModule required
  username="broker"
  password="${passwords['broker']}"
${users.join('\n')};
};
`
}

/** Reads, writes and scripts, but no server commands: no flush, no configuration, no access to other users. */
const COMMANDS =
  'resetchannels -@all +@read +@write +@scripting +@connection +@transaction +time -@dangerous +info +cluster|slots +cluster|shards +cluster|nodes +cluster|info'

/** For the length of lists, which KEDA reads with a script. Redis requires the right to write the keys of any script. */
const SCALER_COMMANDS = 'resetchannels -@all +@read +@connection +eval -@dangerous'

/** Keys that each process accesses (gateway/README.md). */
const LIMITS_KEYS: Record<string, string> = {
  gateway: '~acct:* ~windows:* ~leases:* ~streams:* ~usage:* ~merged:* ~throttle:* ~once:*',
  identity: '~acct:* ~tries:*',
  'api-key': '~acct:*',
  config: '~acct:*',
  audit: '%R~acct:* %R~usage:* %R~leases:*',
  prepare: '~acct:*',
}

function redisLimitsUsers(passwords: Record<string, string>): string {
  return aclFile(passwords, (user) => `${LIMITS_KEYS[user]} ${COMMANDS}`)
}

/** A service's queues begin with its name; the autoscaler reads how many jobs wait. */
function redisJobsUsers(passwords: Record<string, string>): string {
  return aclFile(passwords, (user) =>
    user === 'scaler' ? `~{jobs}:*:wait ${SCALER_COMMANDS}` : `~{jobs}:${user}* ${COMMANDS}`,
  )
}

function aclFile(passwords: Record<string, string>, rightsOf: (user: string) => string): string {
  const users = Object.entries(passwords).map(
    ([user, password]) => `user ${user} on #${hash('sha256', password)} resetkeys ${rightsOf(user)}\n`,
  )
  return ['user default off\n', ...users].join('')
}
