import type { UserActor } from '@tapeline/contracts/actor'
import {
  type ConfigUpdate,
  type FailedConfig,
  isPlatformConfig,
  PLATFORM_CONFIGS,
  type UpdateConfigs,
  type UpdatedConfigs,
} from '@tapeline/contracts/config/global-configs'
import { TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { nextPlatformVersion } from '../platform-version-queries.ts'
import type { Tables } from '../tables.ts'
import { checkSize } from './check-size.ts'
import { checkValue } from './check-value.ts'
import { lockConfig } from './config-queries.ts'
import { findConflict } from './find-conflict.ts'
import { presentConfig } from './present-config.ts'
import { recordRejectedChange } from '../record-rejected-change.ts'
import { type Change, saveConfig } from './save-config.ts'
import { type Result, updateTierConfig } from './update-tier-config.ts'

const DIFFERENCES_SHOWN_MAX = 20
const CONFLICT = 'global_config.changed_meanwhile'
const REFUSALS = ['global_config.invalid', 'global_config.too_large'] as const

type Writing = Pick<Deps, 'db' | 'now' | 'newId'>

/** Stores the valid updates in one transaction and reports an error for each of the others. */
export async function updateGlobalConfigs(
  deps: Writing,
  actor: UserActor,
  input: UpdateConfigs,
): Promise<UpdatedConfigs> {
  const reason = input.reason === undefined || input.reason.trim() === '' ? null : input.reason
  const ofTiers = input.updates.filter(({ key }) => key === TIERS_KEY)
  const results = await deps.db.transaction().execute(async (trx) => {
    const change = { reason, platformVersion: await nextPlatformVersion(trx) }
    const done: Result[] = []
    for (const update of input.updates) {
      if (update.key !== TIERS_KEY) done.push(await updateOne(deps, trx, actor, { update, change }))
    }
    return done
  })
  for (const update of ofTiers) results.push(await updateTierConfig(deps, actor, update, input.reason))
  const failed = results.flatMap((one) => ('failed' in one ? [one.failed] : []))
  for (const one of failed) await recordRejection(deps, actor, one, reason)
  const updated = results.flatMap((one) => ('updated' in one ? [one.updated] : []))
  if (updated.length === 0) throwConflicts(input.updates, failed)
  return { updated, failed }
}

async function updateOne(
  deps: Writing,
  trx: Transaction<Tables>,
  actor: UserActor,
  { update, change }: { update: ConfigUpdate; change: Change },
): Promise<Result> {
  const { key, value } = update
  const row = await lockConfig(trx, key)
  const fault = checkValue(key, value) ?? (await checkSize(trx, { key, value, row }))
  if (fault !== undefined) {
    const [first] = fault.errors
    return {
      failed: { key, error: first === undefined ? 'It is not valid.' : `${first.field}: ${first.message}`, ...fault },
    }
  }
  const conflict = await findConflict(trx, update, row)
  if (conflict !== undefined) return { failed: conflict }
  const isPublic =
    update.is_public ?? row?.state?.is_public ?? (isPlatformConfig(key) && PLATFORM_CONFIGS[key].isPublic)
  const after = { value, is_public: isPublic }
  return { updated: { key, ...presentConfig(key, await saveConfig(deps, trx, actor, { ...change, key, row, after })) } }
}

/** Publishes rejected updates, except conflicts, which are not errors of the client; the tiers publish their own. */
async function recordRejection(
  deps: Writing,
  actor: UserActor,
  failed: FailedConfig,
  reason: string | null,
): Promise<void> {
  const { key, error, errors } = failed
  const code = REFUSALS.find((one) => one === failed.code)
  if (code === undefined) return
  await recordRejectedChange(deps, actor, {
    key,
    failure: new AppError(code, error, { errors }),
    reason: reason ?? undefined,
  })
}

/** Throws when every update is a conflict, with the current values. Other failures are reported one by one. */
function throwConflicts(updates: readonly ConfigUpdate[], failed: FailedConfig[]): void {
  const [first] = failed
  if (first === undefined || failed.some(({ code }) => code !== CONFLICT)) return
  const errors = failed.flatMap(({ key, error, changed = [] }) => {
    const place = `/updates/${updates.findIndex((update) => update.key === key)}`
    const differences = changed.slice(0, DIFFERENCES_SHOWN_MAX).map(({ path, after }) => ({
      field: `${place}/value${path === '/' ? '' : path}`,
      message: `${key} ${path} is now ${JSON.stringify(after ?? null).slice(0, 200)}`,
    }))
    return [{ field: `${place}/version`, message: error }, ...differences]
  })
  throw new AppError(CONFLICT, first.error, { errors })
}
