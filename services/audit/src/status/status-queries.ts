import type { Component } from '@tapeline/contracts/audit/status'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>

export type HourOfRoute = { hour_at: Date; route: string; answered: string; errors: string; latency: Buffer | null }

/**
 * Sums over all accounts of these hours, by route. Denied and aborted requests are left out: they do not measure the
 * platform.
 */
export async function listHoursByRoute(db: Db, from: Date, to: Date): Promise<HourOfRoute[]> {
  const { rows } = await sql<HourOfRoute>`
    select bucket_at as hour_at, route,
      coalesce(sum(requests) filter (where outcome in ('ok', 'client_error', 'server_error')), 0)::bigint as answered,
      coalesce(sum(requests) filter (where outcome = 'server_error'), 0)::bigint as errors,
      string_agg(latency, ''::bytea) as latency
    from usage_hour
    where bucket_at >= ${from.toISOString()}::timestamptz and bucket_at < ${to.toISOString()}::timestamptz
    group by 1, 2`.execute(db)
  return rows
}

export type TrafficHour = { component: Component; hourAt: Date; requests: number; errors: number; latency: Buffer }

/** Sets the sums of an hour instead of adding to them, so that a call can be repeated. */
export async function setTraffic(db: Db, hours: readonly TrafficHour[]): Promise<void> {
  await sql`
    insert into status_traffic as s (component, hour_at, requests, errors, latency)
    select * from unnest(
      ${hours.map(({ component }) => component)}::text[],
      ${hours.map(({ hourAt }) => hourAt.toISOString())}::timestamptz[],
      ${hours.map(({ requests }) => requests)}::bigint[],
      ${hours.map(({ errors }) => errors)}::bigint[],
      ${hours.map(({ latency }) => latency)}::bytea[])
    on conflict (component, hour_at) do update set
      requests = excluded.requests, errors = excluded.errors, latency = excluded.latency`.execute(db)
}

export type Probe = { component: Component; at: Date; hasFailed: boolean }

/** A probe is counted only if it is newer than the newest one of its hour, so repeating a call counts it once. */
export async function addProbes(db: Db, probes: readonly Probe[]): Promise<void> {
  await sql`
    insert into status_probe as s (component, hour_at, probes, failures, last_at, last_failed)
    select component, date_trunc('hour', at at time zone 'UTC') at time zone 'UTC', 1, failed::int, at, failed
    from unnest(
      ${probes.map(({ component }) => component)}::text[],
      ${probes.map(({ at }) => at.toISOString())}::timestamptz[],
      ${probes.map(({ hasFailed }) => hasFailed)}::boolean[]) probe (component, at, failed)
    on conflict (component, hour_at) do update set
      probes = s.probes + 1, failures = s.failures + excluded.failures,
      last_at = excluded.last_at, last_failed = excluded.last_failed
    where excluded.last_at > s.last_at`.execute(db)
}

export type MeasuredDay = {
  component: string
  day: string
  requests: string
  errors: string
  probes: string
  failures: string
}

/** Measurements of each component per UTC day. */
export async function listMeasuredDays(db: Db, from: Date): Promise<MeasuredDay[]> {
  const { rows } = await sql<MeasuredDay>`
    select component, to_char(hour_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      sum(requests)::bigint as requests, sum(errors)::bigint as errors,
      sum(probes)::bigint as probes, sum(failures)::bigint as failures
    from (
      select component, hour_at, requests, errors, 0::bigint as probes, 0::bigint as failures from status_traffic
      union all
      select component, hour_at, 0, 0, probes, failures from status_probe
    ) measured
    where hour_at >= ${from.toISOString()}::timestamptz
    group by 1, 2`.execute(db)
  return rows
}

export type Recent = {
  component: string
  requests: string
  errors: string
  last_at: Date | null
  last_failed: boolean | null
}

/** Traffic since a time, and the newest probe, of each component. */
export async function listRecent(db: Db, since: Date): Promise<Recent[]> {
  const { rows } = await sql<Recent>`
    select component, coalesce(t.requests, 0)::bigint as requests, coalesce(t.errors, 0)::bigint as errors,
      p.last_at, p.last_failed
    from (
      select component, sum(requests) as requests, sum(errors) as errors from status_traffic
      where hour_at >= ${since.toISOString()}::timestamptz group by component
    ) t
    full join (
      select distinct on (component) component, last_at, last_failed from status_probe
      where last_at >= ${since.toISOString()}::timestamptz order by component, last_at desc
    ) p using (component)`.execute(db)
  return rows
}

export async function listLatencies(db: Db, from: Date): Promise<Buffer[]> {
  const rows = await db.selectFrom('status_traffic').select('latency').where('hour_at', '>=', from).execute()
  return rows.map(({ latency }) => latency)
}

export async function deleteStatusBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('status_traffic').where('hour_at', '<', before).execute()
  await db.deleteFrom('status_probe').where('hour_at', '<', before).execute()
  await db.deleteFrom('status_incident').where('resolved_at', '<', before).execute()
}
