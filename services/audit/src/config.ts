import { readConfig, secret, serviceFields } from '@tapeline/service/read-config'
import { type Static, Type } from 'typebox'

export const Config = Type.Object({
  ...serviceFields,
  PORT: Type.Integer({ default: 3013, minimum: 0, maximum: 65_535 }),
  CONFIG_URL: Type.String({ default: 'http://127.0.0.1:3014', pattern: '^https?://' }),
  API_KEY_URL: Type.String({ default: 'http://127.0.0.1:3012' }),
  /** Signs the cursors of lists: a client cannot make one up. */
  CURSOR_SECRET: secret(Type.String({ minLength: 32 })),
  /** Where the prober knocks, once a minute; empty: it does not. */
  GATEWAY_URL: Type.String({ default: '', pattern: '^(https?://.*)?$' }),
  /** Rows, one per request, and sums per minute. */
  USAGE_ROWS_RETENTION_DAYS: Type.Integer({ default: 90, minimum: 2, maximum: 3_650 }),
})
export type Config = Readonly<Static<typeof Config>>

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  return readConfig(Config, env)
}
