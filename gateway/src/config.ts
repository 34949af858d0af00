import { processFields, readConfig, secret } from '@tapeline/service/read-config'
import { type Static, Type } from 'typebox'

const perMinute = (requests: number) => Type.Integer({ default: requests, minimum: 1, maximum: 10_000_000 })
const serviceUrl = (port: number) => Type.String({ default: `http://127.0.0.1:${port}`, pattern: '^http://' })

export const Config = Type.Object({
  ...processFields,
  PORT: Type.Integer({ default: 3001, minimum: 0, maximum: 65_535 }),
  /** Port of /metrics and /readyz for operators; 0 = none. */
  ADMIN_PORT: Type.Integer({ default: 0, minimum: 0, maximum: 65_535 }),
  /** One server, or nodes of a Redis Cluster, comma separated (one node: `?cluster=true`). */
  REDIS_URL: secret(Type.String({ minLength: 1 })),
  KAFKA_BROKERS: secret(Type.String({ minLength: 1 })),
  KAFKA_TOPIC_PREFIX: Type.String({ default: '' }),
  IDENTITY_URL: serviceUrl(3011),
  API_KEY_URL: serviceUrl(3012),
  AUDIT_URL: serviceUrl(3013),
  CONFIG_URL: serviceUrl(3014),
  MARKET_DATA_URL: serviceUrl(3015),
  /** Where the role `stream` of market-data answers; empty: MARKET_DATA_URL. */
  STREAM_URL: Type.String({ default: '', pattern: '^$|^http://' }),
  /** Name in usage events; empty: the host's name and the number of the journal folder. */
  GATEWAY_ID: Type.String({ default: '', maxLength: 80 }),
  /** Processes that share the port; each has its own journal. */
  GATEWAY_PROCESSES: Type.Integer({ default: 1, minimum: 1, maximum: 64 }),
  /** Gateways, of GATEWAY_PROCESSES each, that share the limits: sets the share of each while Redis is unavailable. */
  GATEWAYS_EXPECTED: Type.Integer({ default: 1, minimum: 1, maximum: 1_000 }),
  /** Redis counts as unavailable when it has not answered a decision in this time. */
  LIMITER_REPLY_WITHIN_MS: Type.Integer({ default: 50, minimum: 10, maximum: 1_000 }),
  JOURNAL_DIR: Type.String({ default: '.tapeline/journal', minLength: 1 }),
  JOURNAL_BYTES_MAX: Type.Integer({ default: 268_435_456, minimum: 65_536 }),
  JOURNAL_SEGMENT_BYTES: Type.Integer({ default: 8_388_608, minimum: 4_096 }),
  BODY_BYTES_MAX: Type.Integer({ default: 262_144, minimum: 1_024 }),
  UPSTREAM_CONNECTIONS_MAX: Type.Integer({ default: 64, minimum: 1, maximum: 10_000 }),
  /** Answers without a deadline, event streams and exports, that are open at a time. */
  STREAMS_MAX: Type.Integer({ default: 1_000, minimum: 1, maximum: 10_000 }),
  /** Live streams that are open at a time; below CLIENT_CONNECTIONS_MAX, so that other requests have connections left. */
  LIVE_STREAMS_MAX: Type.Integer({ default: 8_000, minimum: 1, maximum: 100_000 }),
  CLIENT_CONNECTIONS_MAX: Type.Integer({ default: 10_000, minimum: 1 }),
  /** Open requests of one process, and bound on its event loop's median delay: above, the least urgent are rejected first. */
  IN_FLIGHT_MAX: Type.Integer({ default: 2_000, minimum: 1, maximum: 100_000 }),
  LOOP_DELAY_MAX_MS: Type.Integer({ default: 500, minimum: 10, maximum: 60_000 }),
  /** Origins of the pages that may call from a browser, comma separated. */
  CORS_ORIGINS: Type.String({ default: 'http://localhost:3000,http://127.0.0.1:3000' }),
  /** Strict-Transport-Security on every response; 0: none. Set it only if all callers use TLS. */
  HSTS_MAX_AGE_S: Type.Integer({ default: 0, minimum: 0, maximum: 63_072_000 }),
  /** Contact in /.well-known/security.txt, a URI; empty: the contact page of the first of CORS_ORIGINS. */
  SECURITY_CONTACT: Type.String({ default: '', maxLength: 200, pattern: '^$|^(https|mailto|tel):[\\x21-\\x7e]+$' }),
  /** Addresses and networks whose X-Forwarded-For is trusted, comma separated; empty: none. */
  TRUST_PROXY: Type.String({ default: '' }),
  /** Requests per minute and address to public pages, and to samples. */
  THROTTLE_PUBLIC_PER_MINUTE: perMinute(600),
  THROTTLE_SAMPLE_PER_MINUTE: perMinute(120),
  /** Sign-in, sign-up and password reset per minute and address; mailed links also per account and network. */
  THROTTLE_SIGN_IN_PER_MINUTE: perMinute(30),
  THROTTLE_SIGN_UP_PER_MINUTE: perMinute(10),
  THROTTLE_REFRESH_PER_MINUTE: perMinute(120),
  THROTTLE_ACCOUNT_PER_MINUTE: perMinute(10),
  /** Wrong keys and forged tokens per minute and address. */
  THROTTLE_FAILURES_PER_MINUTE: perMinute(60),
})
export type Config = Readonly<Static<typeof Config>>

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  return readConfig(Config, env)
}

/** Each process decides separately, so each counts as one that shares the limits; the supervisor has the operators' port. */
export function configOfOneProcess(config: Config): Config {
  if (config.GATEWAY_PROCESSES === 1) return config
  return { ...config, GATEWAYS_EXPECTED: config.GATEWAYS_EXPECTED * config.GATEWAY_PROCESSES, ADMIN_PORT: 0 }
}
