import { readConfig, serviceFields } from '@tapeline/service/read-config'
import { type Static, Type } from 'typebox'

export const Config = Type.Object({
  ...serviceFields,
  PORT: Type.Integer({ default: 3014, minimum: 0, maximum: 65_535 }),
})
export type Config = Readonly<Static<typeof Config>>

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  return readConfig(Config, env)
}
