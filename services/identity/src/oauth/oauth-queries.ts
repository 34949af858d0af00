import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { LinkRequestTable, ProviderFlowTable, ProviderIdentityTable, Tables } from '../tables.ts'

export type FlowRow = Selectable<ProviderFlowTable>
export type LinkRequestRow = Selectable<LinkRequestTable>
export type IdentityRow = Selectable<ProviderIdentityTable>

/** No owner: whoever begins is not known yet. */
export async function insertFlow(db: Kysely<Tables>, row: Insertable<ProviderFlowTable>): Promise<void> {
  await db.insertInto('provider_flow').values(row).execute()
}

/** No owner: the state says whose it is. */
export function findFlow(db: Kysely<Tables>, stateHash: Buffer, at: Date): Promise<FlowRow | undefined> {
  return db
    .selectFrom('provider_flow')
    .selectAll()
    .where('state_hash', '=', stateHash)
    .where('expires_at', '>', at)
    .executeTakeFirst()
}

/** No owner: used up by whoever gets its row, and by nobody after them. */
export async function deleteFlow(db: Kysely<Tables>, stateHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('provider_flow').where('state_hash', '=', stateHash).executeTakeFirst()
  return numDeletedRows > 0n
}

type Person = Pick<IdentityRow, 'issuer' | 'subject'>

/** No owner: a provider's person is looked up to find out who they are here. */
export function findIdentity(db: Kysely<Tables>, { issuer, subject }: Person): Promise<IdentityRow | undefined> {
  return db
    .selectFrom('provider_identity')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** After its user, in the order in which everybody locks them. */
export function lockIdentity(
  trx: Transaction<Tables>,
  userId: string,
  { issuer, subject }: Person,
): Promise<IdentityRow | undefined> {
  return trx
    .selectFrom('provider_identity')
    .selectAll()
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirst()
}

export function findIdentityOf(db: Kysely<Tables>, userId: string): Promise<IdentityRow | undefined> {
  return db.selectFrom('provider_identity').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

export async function insertIdentity(trx: Transaction<Tables>, row: Insertable<ProviderIdentityTable>): Promise<void> {
  await trx.insertInto('provider_identity').values(row).execute()
}

export async function replaceToken(trx: Transaction<Tables>, userId: string, sealedToken: Buffer): Promise<void> {
  await trx.updateTable('provider_identity').set({ sealed_token: sealedToken }).where('user_id', '=', userId).execute()
}

/** Only the one that was revoked: another one may have come meanwhile. */
export async function deleteIdentity(
  trx: Transaction<Tables>,
  userId: string,
  { issuer, subject }: Person,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('provider_identity')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export function findLivingSession(
  db: Kysely<Tables>,
  userId: string,
  { sessionId, at }: { sessionId: string; at: Date },
): Promise<{ is_remembered: boolean } | undefined> {
  return db
    .selectFrom('session')
    .select('is_remembered')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
}

/** No owner: it waits for the one who knows the password. */
export async function insertLinkRequest(db: Kysely<Tables>, row: Insertable<LinkRequestTable>): Promise<void> {
  await db.insertInto('link_request').values(row).execute()
}

/** No owner: the state says whose it is. One try is gone, whatever comes of it. */
export function useLinkRequestTry(
  db: Kysely<Tables>,
  stateHash: Buffer,
  at: Date,
): Promise<LinkRequestRow | undefined> {
  return db
    .updateTable('link_request')
    .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
    .where('state_hash', '=', stateHash)
    .where('tries_left', '>', 0)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst()
}

/** No owner: the state says whose it is. */
export async function deleteLinkRequest(trx: Transaction<Tables>, stateHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('link_request').where('state_hash', '=', stateHash).executeTakeFirst()
  return numDeletedRows > 0n
}

/** No owner: the clock tidies up after everyone. */
export async function deleteFlowsOver(db: Kysely<Tables>, at: Date): Promise<number> {
  const flows = await db.deleteFrom('provider_flow').where('expires_at', '<', at).executeTakeFirst()
  const requests = await db.deleteFrom('link_request').where('expires_at', '<', at).executeTakeFirst()
  return Number(flows.numDeletedRows + requests.numDeletedRows)
}
