import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'

/** Marks a field whose value never appears in a log or an error message. */
export function secret<T extends TSchema>(schema: T): T {
  return { ...schema, 'x-secret': true }
}

const ROLE = '(http|stream|consumer|jobs|ingest)'

/** Configuration of every process. Ports, hosts and addresses of other processes are specific to each. */
export const processFields = {
  HOST: Type.String({ default: '127.0.0.1' }),
  LOG_LEVEL: Type.String({ default: 'info', pattern: '^(trace|debug|info|warn|error|fatal|silent)$' }),
  /** `caller>audience=<base64url>` pairs, comma-separated; of several keys of a pair the first signs, all verify. */
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
  /** Roles of this process. */
  ROLES: Type.String({
    default: 'http,consumer,jobs,ingest,stream',
    pattern: `^\\s*${ROLE}\\s*(,\\s*${ROLE}\\s*)*$`,
    description: 'one or more of http, stream, consumer, jobs and ingest, comma-separated',
  }),
}

/**
 * Parses the environment into a frozen object. An empty number or boolean counts as not set; integers are decimal.
 * @throws Error that names every problem, the values in question and what is allowed, and no secret
 */
export function readConfig<T extends TObject>(schema: T, env: NodeJS.ProcessEnv): Readonly<Static<T>> {
  const raw = Object.fromEntries(
    Object.entries(schema.properties).flatMap(([name, field]) => {
      const value = parse(field, env[name])
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const value: unknown = Value.Default(schema, raw)
  if (!Value.Check(schema, value)) {
    const problems = Value.Errors(schema, value).map(({ instancePath, message, params }) => {
      const missing = 'requiredProperties' in params ? params.requiredProperties.join(', ') : ''
      return missing === '' ? describe(instancePath.slice(1), { schema, env, message }) : `${missing} is missing`
    })
    throw new Error(`The configuration is not valid: ${[...new Set(problems)].join('; ')}`)
  }
  return Object.freeze(value)
}

const INTEGER = /^-?\d+$/

/** Text that is not of the field's type stays text, so that the schema rejects it: `Value.Convert` would make 0 of ''. */
function parse(field: TSchema, text: string | undefined): unknown {
  if (text === undefined || Type.IsString(field)) return text
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (Type.IsInteger(field)) return INTEGER.test(trimmed) ? Number(trimmed) : text
  return Value.Convert(field, trimmed)
}

type Problem = { schema: TObject; env: NodeJS.ProcessEnv; message: string }

function describe(name: string, { schema, env, message }: Problem): string {
  const field = schema.properties[name] ?? {}
  const value = env[name] === undefined || 'x-secret' in field ? '' : `, but is ${JSON.stringify(env[name])}`
  return `${name} ${allowed(field) ?? message}${value}`
}

function allowed(field: TSchema): string | undefined {
  if ('description' in field) return `must be ${String(field.description)}`
  if (!Type.IsInteger(field)) return undefined
  const minimum = 'minimum' in field ? ` from ${String(field.minimum)}` : ''
  const maximum = 'maximum' in field ? ` to ${String(field.maximum)}` : ''
  return `must be an integer${minimum}${maximum}`
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
