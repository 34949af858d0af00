import type { Actor } from '@tapeline/contracts/actor'
import { tiersChanged } from '@tapeline/contracts/config/events'
import type { TierSnapshot } from '@tapeline/contracts/config/http'
import type { ShadowConfig } from '@tapeline/contracts/config/shadow-limits'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { nextPlatformVersion } from '../platform-version-queries.ts'
import type { Tables } from '../tables.ts'
import { checkTiers } from './check-tiers.ts'
import { diffTiers } from './diff-tiers.ts'
import { findNewestTierDocument, insertTierDocument, lockTierDocuments, type TierDocumentRow } from './tier-queries.ts'

const SEED = 'seed'

type Writer = Pick<Deps, 'db' | 'now' | 'newId'>
export type WriteTiers = {
  /** Computes the new documents from the newest ones; the result is validated. */
  documentsAfter: (newest: TierDocumentRow | undefined, trx: Transaction<Tables>) => unknown
  /** Absent: shadow limits stay as they are. */
  shadowAfter?: ((shadow: ShadowConfig) => ShadowConfig) | undefined
  reason?: string | undefined
}

/** Stores tier documents as the next version; unchanged ones are not stored. */
export function writeTiers(
  deps: Writer,
  actor: Actor,
  { documentsAfter, shadowAfter = (shadow) => shadow, reason }: WriteTiers,
): Promise<TierSnapshot> {
  return deps.db.transaction().execute(async (trx) => {
    await lockTierDocuments(trx)
    const newest = await findNewestTierDocument(trx)
    const tiers = checkTiers(await documentsAfter(newest, trx), newest?.config)
    const shadow = shadowAfter(newest?.shadow ?? {})
    return insertNextVersion(deps, trx, actor, { newest, tiers, shadow, reason: reason ?? null })
  })
}

/** Stores the source's documents, unless a user has changed them. */
export function seedTiers(deps: Writer, actor: Actor, documents: TierConfig): Promise<TierSnapshot> {
  const isConflicting = (newest: TierDocumentRow | undefined) => newest !== undefined && newest.written_by !== SEED
  return writeTiers(deps, actor, {
    documentsAfter: (newest) => (isConflicting(newest) ? newest?.config : documents),
  })
}

type NextVersion = {
  newest: TierDocumentRow | undefined
  tiers: TierConfig
  shadow: ShadowConfig
  reason: string | null
}

async function insertNextVersion(
  deps: Writer,
  trx: Transaction<Tables>,
  actor: Actor,
  { newest, tiers, shadow, reason }: NextVersion,
): Promise<TierSnapshot> {
  const changes = diffTiers(newest, { config: tiers, shadow })
  if (newest !== undefined && changes.length === 0) return { version: newest.version, tiers, shadow }
  const version = (newest?.version ?? 0) + 1
  const now = deps.now()
  await insertTierDocument(trx, {
    version,
    config: JSON.stringify(tiers),
    shadow: JSON.stringify(shadow),
    written_by: actor.kind === 'user' ? actor.userId : SEED,
    created_at: now,
    reason,
  })
  // No deadlock: a transaction that has locked this row never waits for the tier documents.
  const platformVersion = await nextPlatformVersion(trx)
  const sides = {
    before: Object.fromEntries(changes.flatMap(({ path, before }) => (before === undefined ? [] : [[path, before]]))),
    after: Object.fromEntries(changes.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after]]))),
  }
  const about = { id: deps.newId(), time: now, subject: 'tiers', account: null, actor }
  await recordEvent(
    trx,
    newEvent(tiersChanged, { ...about, data: { version, platform_version: platformVersion, ...sides, reason } }),
  )
  return { version, tiers, shadow }
}
