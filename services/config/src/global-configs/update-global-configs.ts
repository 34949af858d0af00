import type { UserActor } from '@tapeline/contracts/actor'
import {
  type ConfigUpdate,
  type FailedConfig,
  isKnownConfig,
  KNOWN_CONFIGS,
  type UpdateConfigs,
  type UpdatedConfig,
  type UpdatedConfigs,
} from '@tapeline/contracts/config/global-configs'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { nextPlatformVersion } from '../platform-version-queries.ts'
import type { Tables } from '../tables.ts'
import { checkValue } from './check-value.ts'
import { CONFIGS_MAX, lockConfig, measureConfigs } from './config-queries.ts'
import { findConflict } from './find-conflict.ts'
import { presentConfig } from './present-config.ts'
import { recordRefusal } from './record-refusal.ts'
import { type Change, saveConfig } from './save-config.ts'

/** Every process holds all of it. */
const ALL_BYTES_MAX = 1_048_576

type Writing = Pick<Deps, 'db' | 'now' | 'newId'>

/** Stores what can be stored, in one transaction, and says of the rest why not. Nothing that is not valid is stored. */
export async function updateGlobalConfigs(
  deps: Writing,
  actor: UserActor,
  input: UpdateConfigs,
): Promise<UpdatedConfigs> {
  const reason = input.reason === undefined || input.reason.trim() === '' ? null : input.reason
  const answer = await deps.db.transaction().execute(async (trx) => {
    const change = { reason, platformVersion: await nextPlatformVersion(trx) }
    const [updated, failed]: [UpdatedConfig[], FailedConfig[]] = [[], []]
    for (const update of input.updates) {
      const result = await updateOne(deps, trx, actor, { update, change })
      if ('error' in result) failed.push(result)
      else updated.push(result)
    }
    return { updated, failed }
  })
  if (answer.updated.length === 0) throwConflicts(answer.failed)
  return answer
}

async function updateOne(
  deps: Writing,
  trx: Transaction<Tables>,
  actor: UserActor,
  { update, change }: { update: ConfigUpdate; change: Change },
): Promise<UpdatedConfig | FailedConfig> {
  const { key, value } = update
  const fault = checkValue(key, value) ?? (await checkRoom(trx, update))
  if (fault !== undefined) {
    await recordRefusal(deps, trx, actor, { key, ...fault, reason: change.reason })
    const [first] = fault.errors
    return { key, error: first === undefined ? 'It is not valid.' : `${first.field}: ${first.message}`, ...fault }
  }
  const row = await lockConfig(trx, key)
  const conflict = await findConflict(trx, update, row)
  if (conflict !== undefined) return conflict
  const isPublic = update.is_public ?? row?.state?.is_public ?? (isKnownConfig(key) && KNOWN_CONFIGS[key].isPublic)
  const after = { value, is_public: isPublic }
  return { key, ...presentConfig(key, await saveConfig(deps, trx, actor, { ...change, key, row, after })) }
}

async function checkRoom(trx: Transaction<Tables>, { value }: ConfigUpdate) {
  const { count, bytes } = await measureConfigs(trx)
  if (count < CONFIGS_MAX && bytes + JSON.stringify(value).length <= ALL_BYTES_MAX) return undefined
  const message = 'There is no more room: remove what nobody needs.'
  return { code: 'global_config.too_large' as const, errors: [{ field: '/', message }] }
}

/** Nothing was stored, because somebody else was first: they are told what is there now. */
function throwConflicts(failed: FailedConfig[]): void {
  const conflicts = failed.filter(({ code }) => code === 'global_config.changed_meanwhile')
  const [first] = conflicts
  if (first === undefined) return
  const errors = failed.flatMap(({ key, error, changed = [] }, n) => [
    { field: `/updates/${n}/version`, message: error },
    ...changed.slice(0, 20).map(({ path, after }) => ({
      field: `/updates/${n}/value${path === '/' ? '' : path}`,
      message: `${key} ${path} is now ${JSON.stringify(after ?? null).slice(0, 200)}`,
    })),
  ])
  throw new AppError('global_config.changed_meanwhile', first.error, { errors })
}
