import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

type Trx = Transaction<Tables>
type UsageEvent = Event<UsageRequestServed>

/** Writes the rows that are not there yet and gives back their ids. */
export async function insertUsageEvents(trx: Trx, events: readonly UsageEvent[]): Promise<Set<string>> {
  const column = <T>(value: (event: UsageEvent) => T): T[] => events.map(value)
  const { rows } = await sql<{ id: string }>`
    insert into usage_event (
      id, time, account_id, key_id, kid, tier, method, route, status, outcome, code, verdict, decision,
      latency_us, upstream_latency_us, bytes_in, bytes_out, rows_returned, gateway_id, request_id, network)
    select * from unnest(
      ${column(({ id }) => id)}::uuid[],
      ${column(({ time }) => time)}::timestamptz[],
      ${column(({ data }) => data.account_id)}::uuid[],
      ${column(({ data }) => data.key_id)}::text[],
      ${column(({ data }) => data.kid)}::text[],
      ${column(({ data }) => data.tier)}::text[],
      ${column(({ data }) => data.method)}::text[],
      ${column(({ data }) => data.route)}::text[],
      ${column(({ data }) => data.status)}::smallint[],
      ${column(({ data }) => data.outcome)}::text[],
      ${column(({ data }) => data.code)}::text[],
      ${column(({ data }) => data.decision.verdict)}::text[],
      ${column(({ data }) => JSON.stringify(data.decision))}::jsonb[],
      ${column(({ data }) => data.latency_us)}::bigint[],
      ${column(({ data }) => data.upstream_latency_us)}::bigint[],
      ${column(({ data }) => data.bytes_in)}::bigint[],
      ${column(({ data }) => data.bytes_out)}::bigint[],
      ${column(({ data }) => data.rows_returned)}::bigint[],
      ${column(({ data }) => data.gateway_id)}::text[],
      ${column(({ data }) => data.request_id)}::text[],
      ${column(({ data }) => data.network)}::text[])
    on conflict do nothing
    returning id`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

export type AccountWindows = { accountId: string; windows: UsageRequestServed['decision']['windows']; at: string }

/** Keeps what the limiter said last, by the time of the request and not of its arrival. */
export async function raiseAccountWindows(trx: Trx, accounts: readonly AccountWindows[]): Promise<void> {
  if (accounts.length === 0) return
  await sql`
    insert into usage_account as a (account_id, windows, windows_at)
    select * from unnest(
      ${accounts.map(({ accountId }) => accountId)}::uuid[],
      ${accounts.map(({ windows }) => JSON.stringify(windows))}::jsonb[],
      ${accounts.map(({ at }) => at)}::timestamptz[])
    on conflict (account_id) do update set windows = excluded.windows, windows_at = excluded.windows_at
    where excluded.windows_at >= a.windows_at`.execute(trx)
}
