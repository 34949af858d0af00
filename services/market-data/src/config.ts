import { readConfig, secret, serviceFields } from '@tapeline/service/read-config'
import { type Static, Type } from 'typebox'

export const Config = Type.Object({
  ...serviceFields,
  CONFIG_URL: Type.String({ default: 'http://127.0.0.1:3014', pattern: '^https?://' }),
  PORT: Type.Integer({ default: 3015, minimum: 0, maximum: 65_535 }),
  /** Signs cursors; the same in every process of the service. */
  CURSOR_SECRET: secret(Type.String({ minLength: 32 })),
  SIMULATOR_SEED: Type.String({ default: 'tapeline', minLength: 1, maxLength: 100 }),
  SIMULATOR_HISTORY_HOURS: Type.Integer({ default: 48, minimum: 0, maximum: 720 }),
  /** Simulated records older than this are dropped by day; imported ones stay. */
  SIMULATOR_RETENTION_DAYS: Type.Integer({ default: 7, minimum: 1, maximum: 3_650 }),
})
export type Config = Readonly<Static<typeof Config>>

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  return readConfig(Config, env)
}
