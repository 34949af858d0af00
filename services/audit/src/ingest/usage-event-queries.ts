import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { sql, type Transaction } from 'kysely'
import { numberArray, textArray } from '../rollups/array-text.ts'
import type { Tables } from '../tables.ts'

type Trx = Transaction<Tables>
type UsageEvent = Event<UsageRequestServed>

/** Inserts the rows that do not exist yet and returns their ids. */
export async function insertUsageEvents(trx: Trx, events: readonly UsageEvent[]): Promise<Set<string>> {
  const texts = (value: (event: UsageEvent) => string | null): string => textArray(events.map(value))
  const numbers = (value: (event: UsageEvent) => number | null): string => numberArray(events.map(value))
  const { rows } = await sql<{ id: string }>`
    insert into usage_event (
      id, time, account_id, key_id, kid, tier, method, route, status, outcome, code, rejected_fields, verdict, decision,
      latency_us, upstream_latency_us, bytes_in, bytes_out, rows_returned, gateway_id, request_id, network)
    select * from unnest(
      ${texts(({ id }) => id)}::uuid[],
      ${texts(({ time }) => time)}::timestamptz[],
      ${texts(({ data }) => data.account_id)}::uuid[],
      ${texts(({ data }) => data.key_id)}::text[],
      ${texts(({ data }) => data.kid)}::text[],
      ${texts(({ data }) => data.tier)}::text[],
      ${texts(({ data }) => data.method)}::text[],
      ${texts(({ data }) => data.route)}::text[],
      ${numbers(({ data }) => data.status)}::smallint[],
      ${texts(({ data }) => data.outcome)}::text[],
      ${texts(({ data }) => data.code)}::text[],
      ${texts(({ data }) => rejectedFieldsOf(data))}::jsonb[],
      ${texts(({ data }) => data.decision.verdict)}::text[],
      ${texts(({ data }) => JSON.stringify(data.decision))}::jsonb[],
      ${numbers(({ data }) => data.latency_us)}::bigint[],
      ${numbers(({ data }) => data.upstream_latency_us)}::bigint[],
      ${numbers(({ data }) => data.bytes_in)}::bigint[],
      ${numbers(({ data }) => data.bytes_out)}::bigint[],
      ${numbers(({ data }) => data.rows_returned)}::bigint[],
      ${texts(({ data }) => data.gateway_id)}::text[],
      ${texts(({ data }) => data.request_id)}::text[],
      ${texts(({ data }) => data.network)}::text[])
    on conflict do nothing
    returning id`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

function rejectedFieldsOf({ rejected_fields }: UsageRequestServed): string | null {
  return rejected_fields === undefined ? null : JSON.stringify(rejected_fields)
}

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
