import { type Kysely, sql, type Transaction } from 'kysely'
import { EXPIRED_NOTICE, WARNING_DAYS_MAX } from '../keys/expiry-notices.ts'
import type { Tables } from '../tables.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

export type ExpiringKey = { id: string; user_id: string; name: string; kid: string; expires_at: Date | null }

/** Keys of all users whose next notice is due; keys locked by another transaction are left for the next run. */
export function lockKeysToNotify(trx: Transaction<Tables>, now: Date, limit: number): Promise<ExpiringKey[]> {
  const inADay = new Date(now.getTime() + DAY_MS)
  return trx
    .selectFrom('api_key')
    .innerJoin('api_key_secret', (join) =>
      join.onRef('api_key_secret.key_id', '=', 'api_key.id').on('api_key_secret.ends_at', 'is', null),
    )
    .select(['api_key.id', 'api_key.user_id', 'api_key.name', 'api_key.expires_at', 'api_key_secret.kid'])
    .where('api_key.state', 'in', ['active', 'inactive'])
    .where('api_key.expires_at', '<=', new Date(now.getTime() + WARNING_DAYS_MAX * DAY_MS))
    .where(
      'api_key.expiry_notice',
      '<',
      sql<number>`case when api_key.expires_at <= ${now} then ${EXPIRED_NOTICE}::int
        when api_key.expires_at <= ${inADay} then ${EXPIRED_NOTICE - 1}::int else 1 end`,
    )
    .orderBy('api_key.expires_at')
    .limit(limit)
    .forUpdate('api_key')
    .skipLocked()
    .execute()
}

export type EndingKeys = { now: Date; until: Date; limit: number }

/** Earliest expiry first. */
export function listKeysEndingBefore(db: Kysely<Tables>, userId: string, { now, until, limit }: EndingKeys) {
  return db
    .selectFrom('api_key')
    .innerJoin('api_key_secret', (join) =>
      join.onRef('api_key_secret.key_id', '=', 'api_key.id').on('api_key_secret.ends_at', 'is', null),
    )
    .select(['api_key.name', 'api_key.kind', 'api_key.environment', 'api_key_secret.kid', 'api_key.expires_at'])
    .where('api_key.user_id', '=', userId)
    .where('api_key.state', 'in', ['active', 'inactive'])
    .where('api_key.expires_at', '>', now)
    .where('api_key.expires_at', '<', until)
    .orderBy('api_key.expires_at')
    .orderBy('api_key.id')
    .limit(limit)
    .$narrowType<{ expires_at: Date }>()
    .execute()
}

/** No owner in the condition: the caller has locked the key. */
export async function markNoticeSent(trx: Transaction<Tables>, keyId: string, notice: number): Promise<void> {
  await trx.updateTable('api_key').set({ expiry_notice: notice }).where('id', '=', keyId).execute()
}
