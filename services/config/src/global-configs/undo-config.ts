import type { UserActor } from '@tapeline/contracts/actor'
import type { UndoConfig, UpdatedConfig } from '@tapeline/contracts/config/global-configs'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { nextPlatformVersion } from '../platform-version-queries.ts'
import { findConfigChange, lockConfig } from './config-queries.ts'
import { findConflict } from './find-conflict.ts'
import { presentConfig } from './present-config.ts'
import { saveConfig } from './save-config.ts'

/** Takes back the newest change, as a change of its own: once more, and it is as before. */
export function undoConfig(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  key: string,
  { version, reason = '' }: UndoConfig,
): Promise<UpdatedConfig> {
  return deps.db.transaction().execute(async (trx) => {
    const platformVersion = await nextPlatformVersion(trx)
    const row = await lockConfig(trx, key)
    const newest = row && (await findConfigChange(trx, row.id, row.version))
    if (newest === undefined) {
      throw new AppError('global_config.nothing_to_undo', `Nobody has changed ${key} yet.`)
    }
    const seen = version === undefined ? {} : { version }
    const conflict = await findConflict(trx, { key, value: null, ...seen }, row)
    if (conflict !== undefined) throw new AppError('global_config.changed_meanwhile', conflict.error)
    const change = { reason: reason.trim() === '' ? null : reason, platformVersion }
    return {
      key,
      ...presentConfig(key, await saveConfig(deps, trx, actor, { ...change, key, row, after: newest.before })),
    }
  })
}
