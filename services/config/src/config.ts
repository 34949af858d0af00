import { readConfig, serviceFields } from '@tapeline/service/read-config'
import { type Static, Type } from 'typebox'

export const Config = Type.Object({
  ...serviceFields,
  PORT: Type.Integer({ default: 3014, minimum: 0, maximum: 65_535 }),
  IDENTITY_URL: Type.String({ default: 'http://127.0.0.1:3011', pattern: '^https?://' }),
})
export type Config = Readonly<Static<typeof Config>>

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  return readConfig(Config, env)
}
