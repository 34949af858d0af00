import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'

/** Marks a field whose value never appears in a log or an error message. */
export function secret<T extends TSchema>(schema: T): T {
  return { ...schema, 'x-secret': true }
}

/** Configuration of every process. Ports, hosts and addresses of other processes are specific to each. */
export const processFields = {
  HOST: Type.String({ default: '127.0.0.1' }),
  LOG_LEVEL: Type.String({ default: 'info', pattern: '^(trace|debug|info|warn|error|fatal|silent)$' }),
  /** `caller>audience=<base64url>` pairs, comma-separated. */
  INTERNAL_KEYS: secret(Type.String({ minLength: 1 })),
  /** Empty: tracing is off. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.String({ default: '' }),
  /** How long readiness returns 503 before connections are closed, in ms; at least one probe interval in a cluster. */
  LAME_DUCK_MS: Type.Integer({ default: 0, minimum: 0, maximum: 60_000 }),
  DRAIN_TIMEOUT_MS: Type.Integer({ default: 8_000, minimum: 0, maximum: 120_000 }),
}

/** Configuration of every service, in addition to `processFields`. */
export const serviceFields = {
  ...processFields,
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  DATABASE_CONNECTIONS_MAX: Type.Integer({ default: 8, minimum: 2, maximum: 50 }),
  /** Connections of background jobs, in addition to those of requests; a job needs up to two. */
  DATABASE_JOBS_CONNECTIONS_MAX: Type.Integer({ default: 4, minimum: 2, maximum: 50 }),
  /** Longest statement of a background job, in ms; a request's statement has 2 s. */
  DATABASE_JOBS_STATEMENT_TIMEOUT_MS: Type.Integer({ default: 60_000, minimum: 2_000, maximum: 120_000 }),
  /** Directory of the last snapshots of flags and configurations, used when config is unavailable at start. */
  SNAPSHOT_DIR: Type.String({ default: '.tapeline/snapshots', minLength: 1 }),
  /** `redis://…`, several nodes of a cluster, or `redis+sentinel://host:port,…/<master>`. */
  REDIS_URL: secret(Type.String({ minLength: 1 })),
  /** Redis for job queues; empty: the one at REDIS_URL. */
  REDIS_JOBS_URL: secret(Type.String({ default: '' })),
  /** `host:port,…` or `kafka[s]://user:password@host:port,…`. */
  KAFKA_BROKERS: secret(Type.String({ minLength: 1 })),
  KAFKA_TOPIC_PREFIX: Type.String({ default: '' }),
  /** Roles of this process, comma-separated. */
  ROLES: Type.String({ default: 'http,consumer,jobs,ingest,stream' }),
}

/**
 * Parses the environment into a frozen object.
 * @throws Error that names every problem and no secret
 */
export function readConfig<T extends TObject>(schema: T, env: NodeJS.ProcessEnv): Readonly<Static<T>> {
  const raw = Object.fromEntries(
    Object.keys(schema.properties).flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  )
  const value: unknown = Value.Convert(schema, Value.Default(schema, raw))
  if (!Value.Check(schema, value)) {
    const problems = Value.Errors(schema, value).map(({ instancePath, message, params }) => {
      const missing = 'requiredProperties' in params ? params.requiredProperties.join(', ') : ''
      return missing === '' ? `${instancePath.slice(1)} ${message}` : `${missing} is missing`
    })
    throw new Error(`The configuration is not valid: ${[...new Set(problems)].join('; ')}`)
  }
  return Object.freeze(value)
}

/** The configuration with secrets redacted, for logging. */
export function redactConfig<T extends TObject>(schema: T, config: Readonly<Static<T>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      const field: object | undefined = schema.properties[name]
      return [name, field !== undefined && 'x-secret' in field ? '[redacted]' : value]
    }),
  )
}

/** The roles of a process from its ROLES variable: comma-separated names. */
export function rolesOf(config: { ROLES: string }): Set<string> {
  return new Set(config.ROLES.split(',').map((role) => role.trim()))
}
