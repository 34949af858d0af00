import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { type Kysely, sql, type Transaction } from 'kysely'
import { numbersOf } from '../request-log/dictionaries.ts'
import { encodeDetail } from '../request-log/encode-detail.ts'
import { bytesArray, numberArray, textArray } from '../rollups/array-text.ts'
import type { Tables } from '../tables.ts'

type Trx = Transaction<Tables>
type UsageEvent = Event<UsageRequestServed>

/** Inserts the rows that do not exist yet and returns their ids. `db`: for new entries of the dictionaries. */
export async function insertUsageEvents(
  db: Kysely<Tables>,
  trx: Trx,
  events: readonly UsageEvent[],
): Promise<Set<string>> {
  const entries = await numbersOf(
    db,
    events.map(({ data }) => data),
  )
  const texts = (value: (event: UsageEvent) => string): string => textArray(events.map(value))
  const numbers = (value: (event: UsageEvent) => number): string => numberArray(events.map(value))
  const { rows } = await sql<{ id: string }>`
    insert into request_log (
      time, latency_us, bytes_out, id, request_id, account, bytes_in, rows_returned, kind, key, gateway, network, detail)
    select * from unnest(
      ${texts(({ time }) => time)}::timestamptz[],
      ${numbers(({ data }) => data.latency_us)}::bigint[],
      ${numbers(({ data }) => data.bytes_out)}::bigint[],
      ${texts(({ id }) => id)}::uuid[],
      ${texts(({ data }) => data.request_id)}::uuid[],
      ${numberArray(entries.map(({ account }) => account))}::integer[],
      ${numbers(({ data }) => Math.min(data.bytes_in, INTEGER_MAX))}::integer[],
      ${numbers(({ data }) => Math.min(data.rows_returned ?? NO_ROWS, INTEGER_MAX))}::integer[],
      ${numberArray(entries.map(({ kind }) => kind))}::integer[],
      ${numberArray(entries.map(({ key }) => key))}::integer[],
      ${numberArray(entries.map(({ gateway }) => gateway))}::integer[],
      ${texts(({ data }) => data.network)}::text[],
      ${bytesArray(events.map(({ data }) => encodeDetail(data)))}::bytea[])
    on conflict do nothing
    returning id`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

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
    select * from unnest(
      ${textArray(accounts.map(({ accountId }) => accountId))}::uuid[],
      ${textArray(accounts.map(({ windows }) => JSON.stringify(windows)))}::jsonb[],
      ${textArray(accounts.map(({ windowsAt }) => windowsAt))}::timestamptz[],
      ${textArray(accounts.map(({ lastAt }) => lastAt))}::timestamptz[])
    on conflict (account_id) do update set
      windows = case when excluded.windows_at >= a.windows_at then excluded.windows else a.windows end,
      windows_at = greatest(a.windows_at, excluded.windows_at),
      last_at = greatest(a.last_at, excluded.last_at)`.execute(trx)
}
