import { join } from 'node:path'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { openStore } from '@tapeline/objects/open-store'
import { platformFolder } from './find-database.ts'

/**
 * Whether findLake names the lake that the services of this database read: by LAKE_URL, or both are those of the
 * platform which runs from TAPELINE_DIR.
 */
export function isLakeOfDatabase(configuredDatabase: string | undefined, env: NodeJS.ProcessEnv): boolean {
  return (env.LAKE_URL ?? '') !== '' || (configuredDatabase ?? '') === ''
}

/** The store of sealed days: LAKE_URL, or that of the platform running from TAPELINE_DIR. */
export function findLake(env: NodeJS.ProcessEnv): ObjectStore {
  return openStore({
    LAKE_URL: env.LAKE_URL || `file:${join(platformFolder(env), 'lake')}`,
    LAKE_ACCESS_KEY_ID: env.LAKE_ACCESS_KEY_ID ?? '',
    LAKE_SECRET_ACCESS_KEY: env.LAKE_SECRET_ACCESS_KEY ?? '',
  })
}
