import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { LinkRequestTable, ProviderFlowTable, ProviderIdentityTable, Tables } from '../tables.ts'

export type FlowRow = Selectable<ProviderFlowTable>
export type LinkRequestRow = Selectable<LinkRequestTable>
export type IdentityRow = Selectable<ProviderIdentityTable>

/** No owner: the user is not known at the start of a flow. */
export async function insertFlow(db: Kysely<Tables>, row: Insertable<ProviderFlowTable>): Promise<void> {
  await db.insertInto('provider_flow').values(row).execute()
}

/** No owner: the state identifies the flow. */
export function findFlow(db: Kysely<Tables>, stateHash: Buffer, at: Date): Promise<FlowRow | undefined> {
  return db
    .selectFrom('provider_flow')
    .selectAll()
    .where('state_hash', '=', stateHash)
    .where('expires_at', '>', at)
    .executeTakeFirst()
}

/** No owner: deletes the row; undefined when another transaction used it. */
export async function deleteFlow(db: Kysely<Tables>, stateHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('provider_flow').where('state_hash', '=', stateHash).executeTakeFirst()
  return numDeletedRows > 0n
}

type ProviderSubject = Pick<IdentityRow, 'issuer' | 'subject'>

/** No owner: looks up the account of a provider identity. */
export function findIdentity(
  db: Kysely<Tables>,
  { issuer, subject }: ProviderSubject,
): Promise<IdentityRow | undefined> {
  return db
    .selectFrom('provider_identity')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Locked after its user, the order used everywhere. */
export function lockIdentity(
  trx: Transaction<Tables>,
  userId: string,
  { issuer, subject }: ProviderSubject,
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

/** Only the revoked one: another may have been linked concurrently. */
export async function deleteIdentity(
  trx: Transaction<Tables>,
  userId: string,
  { issuer, subject }: ProviderSubject,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('provider_identity')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** No owner: it waits for the account's password. */
export async function insertLinkRequest(db: Kysely<Tables>, row: Insertable<LinkRequestTable>): Promise<void> {
  await db.insertInto('link_request').values(row).execute()
}

/** No owner: the state identifies the request. Consumes one attempt, with any result. */
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

/** No owner: the state identifies the request. */
export async function deleteLinkRequest(trx: Transaction<Tables>, stateHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('link_request').where('state_hash', '=', stateHash).executeTakeFirst()
  return numDeletedRows > 0n
}

/** No owner: the job deletes all expired flows. */
export async function deleteExpiredFlows(db: Kysely<Tables>, at: Date): Promise<number> {
  const flows = await db.deleteFrom('provider_flow').where('expires_at', '<', at).executeTakeFirst()
  const requests = await db.deleteFrom('link_request').where('expires_at', '<', at).executeTakeFirst()
  return Number(flows.numDeletedRows + requests.numDeletedRows)
}
