import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { isUniqueViolation } from '@tapeline/database/unique-violation'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { type Numbers, numbersOf } from '../request-log/dictionaries.ts'
import { encodeDetail } from '../request-log/encode-detail.ts'
import { bigintArray, bytesArray, instantArray, integerArray, textArray, uuidArray } from '../rollups/binary-array.ts'
import type { Tables } from '../tables.ts'

type Trx = Transaction<Tables>
type UsageEvent = Event<UsageRequestServed>

/**
 * Inserts the rows that do not exist yet and returns their ids. `db`: for new entries of the dictionaries.
 */
export async function insertUsageEvents(
  db: Kysely<Tables>,
  trx: Trx,
  events: readonly UsageEvent[],
): Promise<Set<string>> {
  const insertion = insertionOf(events, await numbersOf(db, events.map(dataOf)))
  if (events.length >= ALL_NEW_FROM && (await insertAllNew(trx, insertion))) return new Set(events.map(idOf))
  const { rows } = await sql<{ id: string }>`${insertion} on conflict do nothing returning id`.execute(trx)
  return new Set(rows.map(({ id }) => id))
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

function insertionOf(events: readonly UsageEvent[], entries: readonly Numbers[]): RawBuilder<unknown> {
  const bigints = (value: (event: UsageEvent) => number): Buffer => bigintArray(events.map(value))
  const integers = (value: (event: UsageEvent) => number): Buffer => integerArray(events.map(value))
  return sql`
    insert into request_log (
      time, latency_us, bytes_out, id, request_id, account, bytes_in, rows_returned, kind, key, gateway, network, detail)
    select
      unnest(${instantArray(events.map(({ time }) => Date.parse(time)))}::timestamptz[]),
      unnest(${bigints(({ data }) => data.latency_us)}::bigint[]),
      unnest(${bigints(({ data }) => data.bytes_out)}::bigint[]),
      unnest(${uuidArray(events.map(({ id }) => id))}::uuid[]),
      unnest(${uuidArray(events.map(({ data }) => data.request_id))}::uuid[]),
      unnest(${integerArray(entries.map(({ account }) => account))}::integer[]),
      unnest(${integers(({ data }) => Math.min(data.bytes_in, INTEGER_MAX))}::integer[]),
      unnest(${integers(({ data }) => Math.min(data.rows_returned ?? NO_ROWS, INTEGER_MAX))}::integer[]),
      unnest(${integerArray(entries.map(({ kind }) => kind))}::integer[]),
      unnest(${integerArray(entries.map(({ key }) => key))}::integer[]),
      unnest(${integerArray(entries.map(({ gateway }) => gateway))}::integer[]),
      unnest(${textArray(events.map(({ data }) => data.network))}::text[]),
      unnest(${bytesArray(events.map(({ data }) => encodeDetail(data)))}::bytea[])`
}

const dataOf = ({ data }: UsageEvent): UsageRequestServed => data
const idOf = ({ id }: UsageEvent): string => id.toLowerCase()

/** Instead of null, which would make rows longer. */
const NO_ROWS = -1
/** No request has as many bytes or rows: a gateway accepts bodies of far fewer, and pages have at most some thousand rows. */
const INTEGER_MAX = 2 ** 31 - 1

/** `windows` is empty and `windowsAt` in the distant past when no request of the account consumed its limits. */
export type AccountLatest = {
  accountId: string
  windows: UsageRequestServed['decision']['windows']
  windowsAt: string
  lastAt: string
}

/** Stores the latest limits and the latest request, ordered by the time of the requests and not by arrival. */
export async function raiseAccounts(trx: Trx, accounts: readonly AccountLatest[]): Promise<void> {
  await sql`
    insert into usage_account as a (account_id, windows, windows_at, last_at)
    select
      unnest(${uuidArray(accounts.map(({ accountId }) => accountId))}::uuid[]),
      unnest(${textArray(accounts.map(({ windows }) => JSON.stringify(windows)))}::text[])::jsonb,
      unnest(${instantArray(accounts.map(({ windowsAt }) => Date.parse(windowsAt)))}::timestamptz[]),
      unnest(${instantArray(accounts.map(({ lastAt }) => Date.parse(lastAt)))}::timestamptz[])
    on conflict (account_id) do update set
      windows = case when excluded.windows_at >= a.windows_at then excluded.windows else a.windows end,
      windows_at = greatest(a.windows_at, excluded.windows_at),
      last_at = greatest(a.last_at, excluded.last_at)`.execute(trx)
}
