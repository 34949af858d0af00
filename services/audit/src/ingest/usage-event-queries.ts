import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { isUniqueViolation } from '@tapeline/database/unique-violation'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { type Numbers, numbersOf } from '../request-log/dictionaries.ts'
import { encodeDetail } from '../request-log/encode-detail.ts'
import { bigintArray, bytesArray, instantArray, integerArray, textArray, uuidArray } from '../rollups/binary-array.ts'
import type { ServedRequest } from '../rollups/roll-up.ts'
import type { Tables } from '../tables.ts'

type Trx = Transaction<Tables>

/** Inserts the rows that do not exist yet and returns their requests. `db`: for new entries of the dictionaries. */
export async function insertRequests(
  db: Kysely<Tables>,
  trx: Trx,
  requests: readonly ServedRequest[],
): Promise<readonly ServedRequest[]> {
  const entries = await numbersOf(
    db,
    requests.map(({ data }) => data),
  )
  const insertion = insertionOf(requests, entries)
  if (requests.length >= ALL_NEW_FROM && (await insertAllNew(trx, insertion))) return requests
  const { rows } = await sql<{ id: string }>`${insertion} on conflict do nothing returning id`.execute(trx)
  const newIds = new Set(rows.map(({ id }) => id))
  return requests.filter(({ id }) => newIds.has(id))
}

/** The savepoint costs as much as this many rows gain. */
const ALL_NEW_FROM = 100

/**
 * Nearly always all rows are new. Then PostgreSQL need not look for each one first, nor return its id. Returns false,
 * and inserts nothing, when one exists.
 */
async function insertAllNew(trx: Trx, insertion: RawBuilder<unknown>): Promise<boolean> {
  await sql`savepoint usage_events`.execute(trx)
  try {
    await insertion.execute(trx)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await sql`rollback to savepoint usage_events`.execute(trx)
    return false
  }
  await sql`release savepoint usage_events`.execute(trx)
  return true
}

function insertionOf(requests: readonly ServedRequest[], entries: readonly Numbers[]): RawBuilder<unknown> {
  const bigints = (value: (request: ServedRequest) => number): Buffer => bigintArray(requests.map(value))
  const integers = (value: (request: ServedRequest) => number): Buffer => integerArray(requests.map(value))
  return sql`
    insert into request_log (
      time, latency_us, bytes_out, id, request_id, account, bytes_in, rows_returned, kind, key, gateway, network, detail)
    select
      unnest(${instantArray(requests.map(({ timeMs }) => timeMs))}::timestamptz[]),
      unnest(${bigints(({ data }) => data.latency_us)}::bigint[]),
      unnest(${bigints(({ data }) => data.bytes_out)}::bigint[]),
      unnest(${uuidArray(requests.map(({ id }) => id))}::uuid[]),
      unnest(${uuidArray(requests.map(({ data }) => data.request_id))}::uuid[]),
      unnest(${integerArray(entries.map(({ account }) => account))}::integer[]),
      unnest(${integers(({ data }) => Math.min(data.bytes_in, INTEGER_MAX))}::integer[]),
      unnest(${integers(({ data }) => Math.min(data.rows_returned ?? NO_ROWS, INTEGER_MAX))}::integer[]),
      unnest(${integerArray(entries.map(({ kind }) => kind))}::integer[]),
      unnest(${integerArray(entries.map(({ key }) => key))}::integer[]),
      unnest(${integerArray(entries.map(({ gateway }) => gateway))}::integer[]),
      unnest(${textArray(requests.map(({ data }) => data.network))}::text[]),
      unnest(${bytesArray(requests.map(({ data }) => encodeDetail(data)))}::bytea[])`
}

/** Instead of null, which would make rows longer. */
const NO_ROWS = -1
/** No request has as many bytes or rows: a gateway accepts bodies of far fewer, and pages have at most some thousand rows. */
const INTEGER_MAX = 2 ** 31 - 1

/** `windows` is empty and `windowsAtMs` in the distant past when no request of the account consumed its limits. */
export type AccountLatest = {
  accountId: string
  windows: UsageRequestServed['decision']['windows']
  windowsAtMs: number
  lastAtMs: number
}

/** Stores the latest limits and the latest request, ordered by the time of the requests and not by arrival. */
export async function raiseAccounts(trx: Trx, accounts: readonly AccountLatest[]): Promise<void> {
  await sql`
    insert into usage_account as a (account_id, windows, windows_at, last_at)
    select
      unnest(${uuidArray(accounts.map(({ accountId }) => accountId))}::uuid[]),
      unnest(${textArray(accounts.map(({ windows }) => JSON.stringify(windows)))}::text[])::jsonb,
      unnest(${instantArray(accounts.map(({ windowsAtMs }) => windowsAtMs))}::timestamptz[]),
      unnest(${instantArray(accounts.map(({ lastAtMs }) => lastAtMs))}::timestamptz[])
    on conflict (account_id) do update set
      windows = case when excluded.windows_at >= a.windows_at then excluded.windows else a.windows end,
      windows_at = greatest(a.windows_at, excluded.windows_at),
      last_at = greatest(a.last_at, excluded.last_at)`.execute(trx)
}
