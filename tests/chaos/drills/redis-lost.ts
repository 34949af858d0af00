import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import pg from 'pg'
import { emptyRedis } from '@tapeline/testing/redis/lose-redis'
import { usageRowsOf } from '@tapeline/testing/usage/usage-rows'
import { waitUntil } from '@tapeline/testing/wait-until'
import { checkAllAnswered, checkStatuses } from '../checks/check-answers.ts'
import { checkLimit, type LimitEvidence } from '../checks/check-limits.ts'
import { type Check, type Drill, type Field, type Outcome, pause } from '../drill.ts'
import { type ClientRequest, requestsDuring } from '../history.ts'
import { type Account, newAccount, startLoad } from '../load.ts'

type Window = { policy: string; windowMs: number; limit: number; limits: Partial<RateLimits> }

const LIMIT = 150
const BURST = 15
const MINUTE_MS = 60_000
/** Each account is bound by one of these limits only. */
const WINDOWS: Window[] = [
  { policy: 'burst', windowMs: 1_000, limit: BURST, limits: { burstLimit: BURST } },
  { policy: 'min', windowMs: MINUTE_MS, limit: LIMIT, limits: { requestsPerMinute: LIMIT } },
  { policy: 'hour', windowMs: 60 * MINUTE_MS, limit: LIMIT, limits: { requestsPerHour: LIMIT } },
  { policy: 'day', windowMs: 1_440 * MINUTE_MS, limit: LIMIT, limits: { requestsPerDay: LIMIT } },
  { policy: 'month', windowMs: 31 * 1_440 * MINUTE_MS, limit: LIMIT, limits: { requestsPerMonth: LIMIT } },
]
const LOAD = { clients: 4, pauseMs: 40 }
/** Most of the limit, so that a limiter without counters would admit far more than the shares of the rest. */
const USED_PERCENT = [75, 90] as const
const REQUESTED_WITHIN_MS = 120_000
/** PostgreSQL reports a transaction within a second. */
const LOAD_MEASURED_MS = 6_000

export const redisFlushed: Drill = {
  name: 'redis-flushed',
  what: 'all counters are lost during traffic, in all windows',
  run: (field) => loseCounters(field, ({ platform }) => emptyRedis(platform.addresses.redisUrl)),
}

export const redisEmptied: Drill = {
  name: 'redis-emptied',
  what: 'Redis is killed and restarted without its data during traffic, in all windows',
  run: (field) =>
    loseCounters(field, async ({ platform }) => {
      await platform.kill('redis')
      rmSync(join(platform.dir, 'redis'), { recursive: true, force: true })
      await platform.restart('redis')
    }),
}

type Watched = { window: Window; account: Account }

async function loseCounters(field: Field, lose: (field: Field) => Promise<void>): Promise<Outcome> {
  const { history, random } = field
  const watched: Watched[] = []
  for (const window of WINDOWS) watched.push({ window, account: await newAccount(field, window.limits) })
  const loads = watched.map(({ account }) => startLoad(field, account, LOAD))
  const share = random.between(...USED_PERCENT) / 100
  await waitUntil(
    'a part of each limit is used',
    () => watched.every(({ window, account }) => accepted(field, account).length >= window.limit * share),
    REQUESTED_WITHIN_MS,
  )
  const counted = await Promise.all(watched.map(({ account }) => admittedMs(field, account)))
  const transactionsAfter = await countTransactions(field, () => history.during('loss', 'redis', () => lose(field)))
  await waitUntil(
    'requests exceed the limits',
    () => watched.every(({ window, account }) => requestsBy(field, account).length > 3 * window.limit + LIMIT),
    REQUESTED_WITHIN_MS,
  )
  const transactionsUsually = await countTransactions(field, async () => {})
  await Promise.all(loads.map((load) => load.stop()))
  const checks: Check[] = []
  const figures: Record<string, number> = { databaseLoad: transactionsAfter / transactionsUsually }
  for (const [n, { window, account }] of watched.entries()) {
    const evidence = await limitEvidence(field, { window, account }, counted[n] ?? [])
    checks.push(...checkLimit(evidence))
    figures[window.policy] = evidence.admittedMs.length
  }
  checks.push(checkAllAnswered(history.requests))
  // On a busy machine the owner of a record may not answer in time when the record is reloaded.
  const statuses = field.size.isTimed ? [200, 429] : [200, 429, 503]
  checks.push(checkStatuses(`no other answers than ${statuses.join(', ')}`, history.requests, statuses))
  return { checks, figures }
}

/** Transactions of all databases of the platform from the beginning of `work` on. */
async function countTransactions({ platform }: Field, work: () => Promise<void>): Promise<number> {
  const url = platform.databaseUrls.audit
  const before = await transactionsOf(url)
  const startedMs = Date.now()
  await work()
  await pause(Math.max(0, startedMs + LOAD_MEASURED_MS - Date.now()))
  return (await transactionsOf(url)) - before
}

async function transactionsOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const prefix = new URL(url).pathname.slice(1).replace(/_audit$/, '')
    const { rows } = await client.query<{ sum: string }>(
      'select sum(xact_commit + xact_rollback) as sum from pg_stat_database where starts_with(datname, $1)',
      [prefix],
    )
    return Number(rows[0]?.sum)
  } finally {
    await client.end()
  }
}

async function limitEvidence(
  field: Field,
  { window, account }: Watched,
  countedMs: readonly number[],
): Promise<LimitEvidence> {
  const requests = requestsBy(field, account)
  const ids = accepted(field, account).map(({ requestId }) => requestId)
  const times = await waitUntil(
    'every admitted request has a row',
    async () => {
      const found = await admittedMs(field, account)
      return found.length >= ids.length ? found : undefined
    },
    field.size.settledWithinMs,
  )
  const loss = field.history.faults.find(({ what }) => what === 'loss')
  if (loss === undefined) throw new Error('nothing was lost')
  const fromMs = loss.startMs - window.windowMs
  const isUsed = ({ startMs, endMs }: ClientRequest) => startMs > fromMs && endMs < loss.startMs
  const usedAtLoss = accepted(field, account).filter(isUsed).length
  const countedAtLoss = countedMs.filter((ms) => ms > fromMs).length
  const inFlight = requestsDuring(accepted(field, account), { startMs: loss.startMs, endMs: loss.startMs }).length
  return {
    policy: window.policy,
    limit: window.limit,
    windowMs: window.windowMs,
    gateways: field.platform.gatewayUrls.length,
    admittedMs: times,
    usedAtLoss: window.policy === 'burst' ? 0 : usedAtLoss,
    uncountedAtLoss: Math.max(0, usedAtLoss - countedAtLoss) + inFlight,
    requests: requests.length,
  }
}

async function admittedMs({ platform }: Field, { accountId }: Account): Promise<number[]> {
  const rows = await usageRowsOf(platform.databaseUrls.audit, accountId)
  return rows.filter(({ verdict }) => verdict === 'admitted').map(({ timeMs }) => timeMs)
}

function requestsBy({ history }: Field, { accountId }: Account): ClientRequest[] {
  return history.requests.filter(({ account }) => account === accountId)
}

function accepted(field: Field, account: Account): ClientRequest[] {
  return requestsBy(field, account).filter(({ status }) => status === 200)
}
