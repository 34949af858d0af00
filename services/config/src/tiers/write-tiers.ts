import type { Actor } from '@tapeline/contracts/actor'
import { tiersChanged } from '@tapeline/contracts/config/events'
import type { TierSnapshot } from '@tapeline/contracts/config/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { checkTiers } from './check-tiers.ts'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { findNewestTierDocument, insertTierDocument, lockTierDocuments } from './tier-queries.ts'

const SEED = 'seed'

/** Stores tier documents as the next version; the same ones again change nothing. */
export function writeTiers(deps: Deps, actor: Actor, documents: unknown): Promise<TierSnapshot> {
  return deps.db.transaction().execute(async (trx) => {
    await lockTierDocuments(trx)
    return insertNextVersion(deps, trx, actor, documents)
  })
}

/** What the source says, unless a user has changed the documents since. */
export async function seedTiers(deps: Deps, actor: Actor, documents: unknown): Promise<TierSnapshot> {
  return deps.db.transaction().execute(async (trx) => {
    await lockTierDocuments(trx)
    const newest = await findNewestTierDocument(trx)
    if (newest !== undefined && newest.written_by !== SEED) return { version: newest.version, tiers: newest.config }
    return insertNextVersion(deps, trx, actor, documents)
  })
}

async function insertNextVersion(
  deps: Deps,
  trx: Transaction<Tables>,
  actor: Actor,
  documents: unknown,
): Promise<TierSnapshot> {
  const tiers = checkTiers(documents)
  const newest = await findNewestTierDocument(trx)
  if (newest !== undefined && isDeepStrictEqual(newest.config, tiers)) return { version: newest.version, tiers }
  const version = (newest?.version ?? 0) + 1
  const now = deps.now()
  await insertTierDocument(trx, {
    version,
    config: JSON.stringify(tiers),
    written_by: actor.kind === 'user' ? actor.userId : SEED,
    created_at: now,
  })
  const about = { id: deps.newId(), time: now, subject: 'tiers', account: null, actor }
  await recordEvent(trx, newEvent(tiersChanged, { ...about, data: { version } }))
  return { version, tiers }
}
