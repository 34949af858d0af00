import type { UserActor } from '@tapeline/contracts/actor'
import type { ConfigUpdate, FailedConfig, UpdatedConfig } from '@tapeline/contracts/config/global-configs'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { presentEdition } from '../tiers/present-edition.ts'
import { replaceTiers } from '../tiers/replace-tiers.ts'
import { findNewestTierDocument, findTierDocument } from '../tiers/tier-queries.ts'
import { conflictOf } from './find-conflict.ts'
import { presentTierConfig } from './present-tier-config.ts'

export type Result = { updated: UpdatedConfig } | { failed: FailedConfig }

/** Updates the tier documents through their own verbs. Without a version the newest are replaced. */
export async function updateTierConfig(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { key, value, version }: ConfigUpdate,
  reason: string | undefined,
): Promise<Result> {
  const edited = version ?? (await findNewestTierDocument(deps.db))?.version ?? 1
  const withReason = reason === undefined ? {} : { reason }
  try {
    const edition = await replaceTiers(deps, actor, { tiers: value, version: edited, ...withReason })
    return { updated: { key, ...presentTierConfig(edition) } }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const conflict = error.code === 'tier.changed_meanwhile' ? await findTierConflict(deps, key, edited) : undefined
    return { failed: conflict ?? failureOf(key, error) }
  }
}

async function findTierConflict(
  { db }: Pick<Deps, 'db'>,
  key: string,
  baseVersion: number,
): Promise<FailedConfig | undefined> {
  const newest = await findNewestTierDocument(db)
  const before = (await findTierDocument(db, baseVersion))?.config
  return newest && conflictOf(key, { current: presentTierConfig(presentEdition(newest)), baseVersion, before })
}

function failureOf(key: string, { code, message: error, errors = [] }: AppError): FailedConfig {
  const inValue = errors.map(({ field, message }) => ({ field: field.replace(/^[/]tiers/, '') || '/', message }))
  return { key, error, code, errors: inValue }
}
