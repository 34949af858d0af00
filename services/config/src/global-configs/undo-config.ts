import type { UserActor } from '@tapeline/contracts/actor'
import type { UndoConfig, UpdatedConfig } from '@tapeline/contracts/config/global-configs'
import { TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { nextPlatformVersion } from '../platform-version-queries.ts'
import { checkSize } from './check-size.ts'
import { findConfigChange, lockConfig } from './config-queries.ts'
import { findConflict } from './find-conflict.ts'
import { presentConfig } from './present-config.ts'
import { saveConfig } from './save-config.ts'
import { findNewestTierDocument } from '../tiers/tier-queries.ts'
import { undoTiers } from '../tiers/undo-tiers.ts'
import { presentTierConfig } from './present-tier-config.ts'

/**
 * Reverts the newest change with a new change; a second undo restores it.
 * @throws AppError when there is nothing to undo or the version has changed
 */
export async function undoConfig(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  key: string,
  input: UndoConfig,
): Promise<UpdatedConfig> {
  if (key === TIERS_KEY) return undoTierConfig(deps, actor, input)
  const { version, reason = '' } = input
  return deps.db.transaction().execute(async (trx) => {
    const platformVersion = await nextPlatformVersion(trx)
    const row = await lockConfig(trx, key)
    const newest = row && (await findConfigChange(trx, row.id, row.version))
    if (newest === undefined) {
      throw new AppError('global_config.nothing_to_undo', `${key} has not been changed yet.`)
    }
    const base = version === undefined ? {} : { version }
    const conflict = await findConflict(trx, { key, value: null, ...base }, row)
    if (conflict !== undefined) throw new AppError('global_config.changed_meanwhile', conflict.error)
    const after = newest.before
    const fault = after && (await checkSize(trx, { key, value: after.value, row }))
    if (fault)
      throw new AppError(fault.code, `The earlier value of ${key} would exceed the maximum total size.`, {
        errors: fault.errors,
      })
    const change = { reason: reason.trim() === '' ? null : reason, platformVersion }
    return {
      key,
      ...presentConfig(key, await saveConfig(deps, trx, actor, { ...change, key, row, after })),
    }
  })
}

/** Undo through the tiers' own verb, whose errors are passed on. */
async function undoTierConfig(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { version, reason }: UndoConfig,
): Promise<UpdatedConfig> {
  const base = version ?? (await findNewestTierDocument(deps.db))?.version ?? 1
  const edition = await undoTiers(deps, actor, { version: base, ...(reason === undefined ? {} : { reason }) })
  return { key: TIERS_KEY, ...presentTierConfig(edition) }
}
