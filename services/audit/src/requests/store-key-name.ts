import type { Event } from '@tapeline/contracts/event'
import type { Transaction } from 'kysely'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { isUuid } from '../is-uuid.ts'
import type { Tables } from '../tables.ts'
import { upsertKeyName } from './key-name-queries.ts'

const AboutKey = Type.Object({ account_id: Type.String(), key_id: Type.String(), name: Type.String() })

/** Idempotent: the newest name wins, and a repeated one is written again. */
export async function storeKeyName(trx: Transaction<Tables>, { time, data }: Event<unknown>): Promise<void> {
  if (!Value.Check(AboutKey, data) || !isUuid(data.account_id)) return
  const { account_id: accountId, key_id: keyId, name } = data
  await upsertKeyName(trx, { accountId, keyId, name, at: new Date(time) })
}
