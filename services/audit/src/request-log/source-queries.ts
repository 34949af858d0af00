import { type RawBuilder, sql } from 'kysely'

/**
 * Requests are in the log and, until their retention ends, in the table of a previous release. The view `logged_request`
 * combines both. Reads of the first rows in an order, and of one request by its id, query each source separately: through
 * that view, PostgreSQL uses no index for them.
 */
export const SOURCES = ['request_log_row', 'usage_event'] as const
export type Source = (typeof SOURCES)[number]

/** The rows of both sources; `select` must return the same columns for each. */
export function fromEach(select: (source: Source) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(
    SOURCES.map((source) => sql`(${select(source)})`),
    sql` union all `,
  )
}

/** Condition for the rows of an account, with which an index returns them in the order of time. */
export function isOfAccount(source: Source, accountId: string): RawBuilder<unknown> {
  return source === 'request_log_row'
    ? sql`account = (select no from request_account where account_id = ${accountId}::uuid)`
    : sql`account_id = ${accountId}::uuid`
}

/** Condition for one request, for which there is an index. `requestId`: 32 hexadecimal digits. */
export function isRequest(source: Source, requestId: string): RawBuilder<unknown> {
  return source === 'request_log_row'
    ? sql`uuid_hash(request_uuid) = uuid_hash(${requestId}::uuid) and request_uuid = ${requestId}::uuid`
    : sql`request_id = ${requestId}`
}
