import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

type Device = { device: string; network: string }
export type KnownDevice = Device & { last_used_at: Date }

export async function upsertKnownDevice(
  trx: Transaction<Tables>,
  userId: string,
  { device, network, at }: Device & { at: Date },
): Promise<void> {
  await trx
    .insertInto('known_device')
    .values({ user_id: userId, device, network, last_used_at: at })
    .onConflict((conflict) => conflict.columns(['user_id', 'device', 'network']).doUpdateSet({ last_used_at: at }))
    .execute()
}

/** Undefined when the account was not used from the device since then. */
export function findKnownDevice(
  trx: Transaction<Tables>,
  userId: string,
  { device, network, since }: Device & { since: Date },
): Promise<{ last_used_at: Date } | undefined> {
  return trx
    .selectFrom('known_device')
    .select('last_used_at')
    .where('user_id', '=', userId)
    .where('device', '=', device)
    .where('network', '=', network)
    .where('last_used_at', '>=', since)
    .executeTakeFirst()
}

/** The most recently used first. */
export function listKnownDevices(db: Kysely<Tables>, userId: string, limit: number): Promise<KnownDevice[]> {
  return db
    .selectFrom('known_device')
    .select(['device', 'network', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('device')
    .orderBy('network')
    .limit(limit)
    .execute()
}

/** No owner: the job deletes the devices of all accounts. */
export async function deleteKnownDevicesBefore(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('known_device').where('last_used_at', '<', before).execute()
}
