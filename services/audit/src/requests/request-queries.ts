import type { Outcome } from '@tapeline/contracts/usage/events'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isRequestId } from '../is-request-id.ts'
import { fromEach, isOfAccount, isRequest, type Source } from '../request-log/source-queries.ts'
import type { Tables } from '../tables.ts'
import type { Place } from '../lists/cursor.ts'

type Db = Kysely<Tables>

/** The account, time range and filter of a read. */
export type RequestScan = {
  accountId: string
  from: Date
  to: Date
  route?: string
  keyId?: string
  statuses?: { from: number; to: number }
  outcome?: Outcome
  code?: string
  requestId?: string
  after: Place | undefined
}
/** `scanMax` is the maximum number of the account's rows to scan for `matchesMax` matches. */
export type ReadBounds = { matchesMax: number; scanMax: number }

export type RequestRow = {
  place: string
  id: string
  time: Date
  request_id: string
  method: string
  route: string
  status: number
  outcome: Outcome
  code: string | null
  key_id: string
  network: string
  latency_us: string
  bytes_in: string
  bytes_out: string
  rows_returned: string | null
}
type ScannedRow = RequestRow & { is_returned: boolean; number: string }

/** The next rows, newest first. `reached`: where the scan stopped before the end of the range. */
export async function listRequestRows(
  db: Db,
  scan: RequestScan,
  { matchesMax, scanMax }: ReadBounds,
): Promise<{ rows: RequestRow[]; reached: Place | undefined }> {
  const { rows } = await sql<ScannedRow>`
    select * from (
      select looked.*, row_number() over newest as number,
        fits and sum(fits::int) over newest <= ${matchesMax} as is_returned
      from (
        select *, time::text as place from (${fromEach(
          (source) => sql`
            select id, time, request_id, method, route, status, outcome, code, key_id, network,
              latency_us, bytes_in, bytes_out, rows_returned, ${fits(scan)} as fits
            from ${sql.table(source)}
            where ${isOfAccount(source, scan.accountId)} and ${within(source, scan)}
            order by time desc, id desc
            limit ${scanMax}`,
        )}) each_source
        order by time desc, id desc
        limit ${scanMax}
      ) looked
      window newest as (order by time desc, id desc rows unbounded preceding)
    ) numbered
    where is_returned or number = ${scanMax}
    order by number`.execute(db)
  const last = rows.at(-1)
  const reached = Number(last?.number) === scanMax && last !== undefined ? { time: last.place, id: last.id } : undefined
  return { rows: rows.filter((row) => row.is_returned), reached }
}

/** Conditions that an index serves. The bound on time alone lets PostgreSQL skip partitions. */
function within(source: Source, { from, to, after, requestId }: RequestScan): RawBuilder<unknown> {
  const isWhole = requestId !== undefined && isRequestId(requestId)
  const whole = isWhole ? sql`and ${isRequest(source, requestId)}` : sql``
  const behind =
    after === undefined
      ? sql``
      : sql`and time <= ${after.time}::timestamptz and (time, id) < (${after.time}::timestamptz, ${after.id}::uuid)`
  return sql`time >= ${from.toISOString()}::timestamptz and time < ${to.toISOString()}::timestamptz ${whole} ${behind}`
}

function fits({ route, keyId, statuses, outcome, code, requestId }: RequestScan): RawBuilder<unknown> {
  const parts = [
    ...(route === undefined ? [] : [sql`route = ${route}`]),
    ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
    ...(statuses === undefined ? [] : [sql`status between ${statuses.from} and ${statuses.to}`]),
    ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
    ...(code === undefined ? [] : [sql`code is not distinct from ${code}`]),
    ...(requestId === undefined ? [] : [sql`position(${requestId} in request_id) > 0`]),
  ]
  return parts.length === 0 ? sql`true` : sql`(${sql.join(parts, sql` and `)})`
}

export type FoundRequest = Omit<RequestRow, 'place'> & {
  kid: string | null
  tier: string
  gateway_id: string
  upstream_latency_us: string | null
  rejected_fields: unknown
  decision: unknown
}

/** Finds a request of this account within its log, by event id or request id. */
export async function findRequest(
  db: Db,
  accountId: string,
  id: { eventId: string } | { requestId: string },
  from: Date,
): Promise<FoundRequest | undefined> {
  const { rows } = await sql<FoundRequest>`
    select * from (${fromEach(
      (source) => sql`
        select id, time, request_id, method, route, status, outcome, code, key_id, network, latency_us, bytes_in, bytes_out,
          rows_returned, kid, tier, gateway_id, upstream_latency_us, rejected_fields, decision
        from ${sql.table(source)}
        where ${isOfAccount(source, accountId)} and time >= ${from.toISOString()}::timestamptz
          and ${'eventId' in id ? sql`id = ${id.eventId}` : isRequest(source, id.requestId)}`,
    )}) found
    order by time desc limit 1`.execute(db)
  return rows[0]
}
