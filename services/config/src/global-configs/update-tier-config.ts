import type { UserActor } from '@tapeline/contracts/actor'
import type { ConfigUpdate, FailedConfig, UpdatedConfig } from '@tapeline/contracts/config/global-configs'
import { TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { presentEdition } from '../tiers/present-edition.ts'
import { replaceTiers } from '../tiers/replace-tiers.ts'
import { findNewestTierDocument, findTierDocument } from '../tiers/tier-queries.ts'
import { conflictOf, noSuchConfig } from './find-conflict.ts'
import { presentTierConfig } from './present-tier-config.ts'

type Writing = Pick<Deps, 'db' | 'now' | 'newId'>
export type Result = { updated: UpdatedConfig } | { failed: FailedConfig }

/**
 * Updates the tier documents through their own verbs. Without a version the newest are replaced, unless `id` says that
 * none were stored.
 */
export async function updateTierConfig(
  deps: Writing,
  actor: UserActor,
  update: ConfigUpdate,
  reason: string | undefined,
): Promise<Result> {
  const { key, id, version } = update
  const newest = await findNewestTierDocument(deps.db)
  if (typeof id === 'string' && id !== TIERS_KEY) {
    return { failed: noSuchConfig(key, newest && presentTierConfig(presentEdition(newest))) }
  }
  return replace(deps, actor, { ...update, version: version ?? (id === null ? 0 : (newest?.version ?? 1)) }, reason)
}

async function replace(
  deps: Writing,
  actor: UserActor,
  { key, value: tiers, version }: ConfigUpdate & { version: number },
  reason: string | undefined,
): Promise<Result> {
  try {
    const edition = await replaceTiers(deps, actor, { tiers, version, ...(reason === undefined ? {} : { reason }) })
    return { updated: { key, ...presentTierConfig(edition) } }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const conflict = error.code === 'tier.changed_meanwhile' ? await findTierConflict(deps, key, version) : undefined
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
