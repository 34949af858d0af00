import { readConfig, secret, serviceFields } from '@tapeline/service/read-config'
import { type Static, Type } from 'typebox'

export const Config = Type.Object({
  ...serviceFields,
  PORT: Type.Integer({ default: 3013, minimum: 0, maximum: 65_535 }),
  CONFIG_URL: Type.String({ default: 'http://127.0.0.1:3014', pattern: '^https?://' }),
  API_KEY_URL: Type.String({ default: 'http://127.0.0.1:3012' }),
  /** Signs the cursors of lists, so that clients cannot forge them. */
  CURSOR_SECRET: secret(Type.String({ minLength: 32 })),
  /** Encrypt the secrets of webhook endpoints, comma-separated, newest first; older ones only decrypt. */
  WEBHOOK_KEYS: secret(Type.String({ minLength: 32, pattern: '^[\\w-]{32,}(,[\\w-]{32,})*$' })),
  /**
   * Sign anchors of the trail and usage statements, comma-separated, newest first; older ones only verify. Not stored in
   * PostgreSQL.
   */
  EVIDENCE_KEYS: secret(Type.String({ minLength: 32, pattern: '^[\\w-]{32,}(,[\\w-]{32,})*$' })),
  /**
   * Object store of trail anchors and archived requests; empty: no anchors, and requests stay in PostgreSQL.
   * `file:<folder>` or `s3://…` (docs/evidence.md, docs/request-log.md).
   */
  LAKE_URL: Type.String({ default: '', pattern: '^(file:.+|s3://.+)?$' }),
  LAKE_ACCESS_KEY_ID: secret(Type.String({ default: '' })),
  LAKE_SECRET_ACCESS_KEY: secret(Type.String({ default: '' })),
  /** HTTPS address to which new entries of the trail are sent as signed requests; empty: none (docs/evidence.md). */
  TRAIL_STREAM_URL: Type.String({ default: '', pattern: '^(https://.+|http://(127[.]0[.]0[.]1|localhost)[:/].*)?$' }),
  /** Signs these requests: `whsec_` and at least 24 bytes in base64. */
  TRAIL_STREAM_SECRET: secret(Type.String({ default: '', pattern: '^(whsec_[A-Za-z0-9+/]{32,}=*)?$' })),
  /** Allows webhooks to loopback, for tests: rejected when NODE_ENV is production. */
  WEBHOOKS_TO_LOOPBACK: Type.Boolean({ default: false }),
  /** Gateway that the prober calls once a minute; empty: the prober is off. */
  GATEWAY_URL: Type.String({ default: '', pattern: '^(https?://.*)?$' }),
  /** Retention of rows and sums per minute. */
  USAGE_ROWS_RETENTION_DAYS: Type.Integer({ default: 90, minimum: 2, maximum: 3_650 }),
  /** Days after which the request log of a day moves from PostgreSQL to the object store of LAKE_URL (docs/request-log.md). */
  USAGE_ARCHIVE_AFTER_DAYS: Type.Integer({ default: 7, minimum: 2, maximum: 3_650 }),
})
export type Config = Readonly<Static<typeof Config>>

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const config = readConfig(Config, env)
  if (config.WEBHOOKS_TO_LOOPBACK && env.NODE_ENV === 'production') {
    throw new Error('The configuration is not valid: WEBHOOKS_TO_LOOPBACK is for tests, not for NODE_ENV=production')
  }
  if (config.TRAIL_STREAM_URL !== '' && config.TRAIL_STREAM_SECRET === '') {
    throw new Error('The configuration is not valid: TRAIL_STREAM_URL needs TRAIL_STREAM_SECRET')
  }
  return config
}
