import { type RawBuilder, sql } from 'kysely'

/**
 * Where requests are: the log, and the table of a previous release until its days are past their retention. `logged_request`
 * is both. A read that needs the first rows of an order, or one request by its id, asks each for itself, because PostgreSQL
 * uses no index for that across both.
 */
export const SOURCES = ['request_log_row', 'usage_event'] as const
export type Source = (typeof SOURCES)[number]

/** The rows of a SELECT from each source, which must give both the same columns. */
export function fromEach(select: (source: Source) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(
    SOURCES.map((source) => sql`(${select(source)})`),
    sql` union all `,
  )
}

/** The account's rows, in the order of an index by time. */
export function isOfAccount(source: Source, accountId: string): RawBuilder<unknown> {
  return source === 'request_log_row'
    ? sql`account = (select no from request_account where account_id = ${accountId}::uuid)`
    : sql`account_id = ${accountId}::uuid`
}

/** The condition that an index serves; `requestId` has 32 hexadecimal digits. */
export function isRequest(source: Source, requestId: string): RawBuilder<unknown> {
  return source === 'request_log_row'
    ? sql`uuid_hash(request_uuid) = uuid_hash(${requestId}::uuid) and request_uuid = ${requestId}::uuid`
    : sql`request_id = ${requestId}`
}
