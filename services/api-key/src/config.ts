import { readConfig, serviceFields } from '@tapeline/service/read-config'
import { type Static, Type } from 'typebox'

export const Config = Type.Object({
  ...serviceFields,
  PORT: Type.Integer({ default: 3012, minimum: 0, maximum: 65_535 }),
  CONFIG_URL: Type.String({ default: 'http://127.0.0.1:3014', pattern: '^https?://' }),
  AUDIT_URL: Type.String({ default: 'http://127.0.0.1:3013' }),
})
export type Config = Readonly<Static<typeof Config>>

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  return readConfig(Config, env)
}
