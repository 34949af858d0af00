import { join, resolve } from 'node:path'

export const REPOSITORY = resolve(import.meta.dirname, '..', '..')

/** Everything that the platform stores: data, secrets, logs, journals. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(REPOSITORY, env.TAPELINE_DIR || '.tapeline')
}

/** Programs that were downloaded or built. One per clone, so that tests and `npm start` share it. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(REPOSITORY, env.TAPELINE_CACHE_DIR || join('.tapeline', 'cache'))
}
