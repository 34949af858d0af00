import type { RateLimits } from '@tapeline/contracts/config/tiers'
import type { FaultProxy } from '@tapeline/testing/fault-proxy'
import { usageRowsOf } from '@tapeline/testing/usage/usage-rows'
import { waitUntil } from '@tapeline/testing/wait-until'
import { checkAllAnswered, checkStatuses } from '../checks/check-answers.ts'
import { checkCounting } from '../checks/check-counting.ts'
import { checkSlow, type SlowEvidence } from '../checks/check-slow.ts'
import { type Check, type Drill, type Field, type Outcome, pause, PLATFORM } from '../drill.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import { type Account, newAccount, startLoad } from '../load.ts'

type Disturbance = { name: string; begin: (redis: FaultProxy) => () => void }

const LIMIT = 10
const BURST = 5
const LIMITS: Partial<RateLimits> = { requestsPerMinute: LIMIT, burstLimit: BURST }
const LOAD = { clients: 4, pauseMs: 20 }
const STALL = { everyMs: 1_500, forMs: 300 }
const FULL_WITHIN_MS = 60_000
/** Consecutive rejections, over all gateways, after which a limit is considered full. */
const REJECTED_IN_A_ROW = 20
/** Merges run every 250 ms. */
const MERGED_AFTER_MS = 2_000

const DISTURBANCES: Disturbance[] = [20, 60, 100, 300].map((ms) => ({
  name: `replies ${ms} ms late`,
  begin(redis) {
    redis.setFault('slow', ms)
    return () => redis.setFault('pass')
  },
}))
DISTURBANCES.push({ name: 'stalls of 0.3 s every 1.5 s', begin: stall })

function stall(redis: FaultProxy): () => void {
  let end: NodeJS.Timeout | undefined
  const timer = setInterval(() => {
    redis.setFault('hang')
    end = setTimeout(() => redis.setFault('pass'), STALL.forMs)
  }, STALL.everyMs)
  return () => {
    clearInterval(timer)
    clearTimeout(end)
    redis.setFault('pass')
  }
}

/** Production's LIMITER_REPLY_WITHIN_MS, and a wire between the gateways and Redis. */
export const redisSlow: Drill = {
  name: 'redis-slow',
  what: 'Redis replies 20, 60, 100 and 300 ms late, then stalls: admitted requests are counted',
  platform: { ...PLATFORM, env: {} },
  wires: { isRedisWired: true },
  run: slowDown,
}

async function slowDown(field: Field): Promise<Outcome> {
  const { history, wires, size } = field
  const full = await newAccount(field, { requestsPerHour: LIMIT })
  const fresh: Account[] = []
  while (fresh.length < DISTURBANCES.length) fresh.push(await newAccount(field, LIMITS))
  const load = startLoad(field, full, LOAD)
  await waitUntil('the hour is full', () => isFull(field, full), FULL_WITHIN_MS)
  for (const [n, { name, begin }] of DISTURBANCES.entries()) {
    const account = fresh[n]
    if (account === undefined) throw new Error('no account')
    await history.during('slow', name, async () => {
      const end = begin(wires.redis)
      const loadOfFresh = startLoad(field, account, LOAD)
      await pause(size.awayMs)
      await loadOfFresh.stop()
      end()
    })
    await pause(MERGED_AFTER_MS)
  }
  await load.stop()
  return outcomeOf(field, full, fresh)
}

function isFull({ history }: Field, { accountId }: Account): boolean {
  const newest = history.requests.filter(({ account }) => account === accountId).slice(-REJECTED_IN_A_ROW)
  return newest.length === REJECTED_IN_A_ROW && newest.every(({ status, isDegraded }) => status === 429 && !isDegraded)
}

async function outcomeOf(field: Field, full: Account, fresh: readonly Account[]): Promise<Outcome> {
  const checks: Check[] = []
  const figures: Record<string, number> = {}
  for (const [n, account] of [full, ...fresh].entries()) {
    const counting = checkCounting(await gatherCounting(field, account))
    checks.push(...counting.filter(({ broken }) => n === 0 || broken.length > 0))
  }
  for (const [n, { name }] of DISTURBANCES.entries()) {
    const evidence = await evidenceOf(field, name, { full, fresh: fresh[n] ?? full })
    checks.push(...checkSlow(evidence))
    figures[`${name}: admitted`] = evidence.admittedMs.length
    figures[`${name}: requests`] = evidence.requests
    figures[`${name}: degraded`] = evidence.degraded
  }
  checks.push(checkAllAnswered(field.history.requests))
  checks.push(checkStatuses('every answer is a 200 or a 429', field.history.requests, [200, 429]))
  return { checks, figures }
}

type Accounts = { full: Account; fresh: Account }

async function evidenceOf({ history, platform }: Field, name: string, of: Accounts): Promise<SlowEvidence> {
  const fault = history.faults.find((one) => one.name === name)
  if (fault === undefined) throw new Error(`${name} did not happen`)
  const during = (id: string) => history.requests.filter((one) => one.account === id && one.startMs >= fault.startMs)
  const requests = during(of.fresh.accountId)
  const ofFull = during(of.full.accountId).filter(({ endMs }) => endMs <= fault.endMs)
  const rows = await usageRowsOf(platform.databaseUrls.audit, of.fresh.accountId)
  return {
    name,
    windows: [
      { policy: 'burst', windowMs: 1_000, limit: BURST },
      { policy: 'min', windowMs: 60_000, limit: LIMIT },
    ],
    gateways: platform.gatewayUrls.length,
    admittedMs: rows.filter(({ verdict }) => verdict === 'admitted').map(({ timeMs }) => timeMs),
    requests: requests.length,
    degraded: requests.filter(({ isDegraded }) => isDegraded === true).length,
    requestsOfFull: ofFull.length,
    admittedOfFull: ofFull.filter(({ status }) => status === 200).length,
  }
}
