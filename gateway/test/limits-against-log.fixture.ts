import { monthPeriodAt } from '@tapeline/contracts/config/month-period'
import { checkAgainstLog, checkVerdict, DAY_MS, type Limits } from './exact-log.fixture.ts'
import {
  type Account,
  admitted,
  decide,
  keyShadowOf,
  accountWithSeededKey,
  redis,
  type Shadowed,
  shadowOf,
} from './limiter-scripts.fixture.ts'

/** What random traffic showed; any mistake throws, with the seed, the run and the step. */
export type Shown = {
  decisions: number
  denials: number
  /** Denials that an exact log over the window would not have made; one over the window and a cell would. */
  deniedEarly: number
  deniedByKey: number
  months: number
  deniedByShadow: number
  deniedByKeyShadow: number
  /** Denied by the limits in force, admitted by the shadow's. */
  admittedByShadow: number
  /** Denials by either shadow with a waiting time, which is that of the log. */
  waitedForShadow: number
}
export type Plan = { seed: number; runs: number; steps: number }
type Random = (below: number) => number
type Proposal = { mark: string; limits: Limits; log: number[] }
type Run = {
  account: Account
  random: Random
  /** Source of the proposals for the tier and for the key. */
  randomShadow: Random
  randomKeyShadow: Random
  /** Limits of the account, and of its key if that has caps. */
  lists: Limits[]
  anchor: Date
  now: number
  /** When each admitted request came: the exact log. */
  log: number[]
  /** Shadow limits, each evaluated in half of the runs, with a log of what they admit. */
  shadow: Proposal | undefined
  keyShadow: Proposal | undefined
  periods: Set<number>
}

const UNLIMITED = 1e9
const OPEN_MAX = 1e6
/** Gateways' clocks may be wrong by this much; the script's is the only one that counts. */
const SKEW_MAX_MS = 5_000

/**
 * Random traffic through the script with a simulated clock, compared with an exact log: bursts, pauses, days, ends of months
 * of 28 to 31 days. Never more than the log over the window admits, never less than the log over window + one cell admits;
 * a client that waits as advised is admitted; what is denied changes nothing.
 */
export async function compareWithLog({ seed, runs, steps }: Plan): Promise<Shown> {
  const randoms = [seeded(seed), seeded(seed + 1), seeded(seed + 2)] as const
  const shown: Shown = {
    decisions: 0,
    denials: 0,
    deniedEarly: 0,
    deniedByKey: 0,
    months: 0,
    deniedByShadow: 0,
    deniedByKeyShadow: 0,
    admittedByShadow: 0,
    waitedForShadow: 0,
  }
  for (let n = 0; n < runs; n += 1) {
    const run = await startRun(...randoms)
    for (let step = 0; step < steps; step += 1) {
      try {
        await takeStep(run, shown)
      } catch (cause) {
        throw new Error(`seed ${seed}, run ${n}, step ${step}: ${String(cause)}`, { cause })
      }
    }
    shown.months += run.periods.size
    await redis.del(...run.account.keys.slice(0, 3), ...run.account.keysOfKey)
  }
  return shown
}

async function startRun(random: Random, randomShadow: Random, randomKeyShadow: Random): Promise<Run> {
  const isMonthly = random(2) === 0
  const lists = [someLimits(random, isMonthly, 1)]
  if (random(2) === 0) lists.push(someLimits(random, isMonthly, 0.7))
  // 28 to 31, or any day: months from 2023 to 2028, two leap years among them.
  const day = random(3) === 0 ? 1 + random(28) : 28 + random(4)
  return {
    account: await accountWithSeededKey(),
    random,
    randomShadow,
    randomKeyShadow,
    lists,
    anchor: new Date(Date.UTC(2023, 0, day, random(24))),
    now: Date.UTC(2023 + random(6), random(12), 1 + random(28)) + random(DAY_MS),
    log: [],
    shadow: randomShadow(2) === 0 ? someShadow(randomShadow, isMonthly) : undefined,
    keyShadow: randomKeyShadow(2) === 0 ? someShadow(randomKeyShadow, isMonthly) : undefined,
    periods: new Set(),
  }
}

function someShadow(random: Random, isMonthly: boolean): Proposal {
  return { mark: String(1e7 + random(9e7)), limits: someLimits(random, isMonthly, 0.9), log: [] }
}

/** In half of the runs the month binds, in the others the rolling windows do. */
function someLimits(random: Random, isMonthly: boolean, part: number): Limits {
  const some = (max: number) => 1 + random(Math.ceil(max * part))
  const windows = [some(20), some(60), some(200), some(500)].map((limit) =>
    isMonthly || random(10) === 0 ? UNLIMITED : limit,
  )
  return { windows, month: isMonthly ? some(40) : UNLIMITED }
}

async function takeStep(run: Run, shown: Shown): Promise<void> {
  const { random, randomShadow, randomKeyShadow, log } = run
  const isMonthly = run.lists[0]?.month !== UNLIMITED
  run.now += isMonthly ? longPause(run) : pause(random)
  // Another proposal, or none for a while: its windows begin empty.
  if (randomShadow(60) === 0) run.shadow = randomShadow(3) === 0 ? undefined : someShadow(randomShadow, isMonthly)
  if (randomKeyShadow(60) === 0) run.keyShadow = someShadow(randomKeyShadow, isMonthly)
  const requested = random(10) === 0 ? 1 + random(6) : 1
  const reply = await runScript(run, requested, shown)
  const admittedCount = admitted(reply)
  shown.decisions += 1
  const exact = checkAgainstLog(run, requested, admittedCount)
  for (let n = 0; n < admittedCount; n += 1) log.push(run.now)
  if (admittedCount === requested) return
  shown.denials += 1
  shown.deniedEarly += Number(admittedCount < Math.min(requested, exact))
  shown.deniedByKey += Number(Number(reply[3]) >= 64)
  if (random(3) > 0) await waitAndRetry(run, Number(reply[4]), shown)
}

async function waitAndRetry(run: Run, waitMs: number, shown: Shown): Promise<void> {
  run.now += waitMs
  const again = admitted(await runScript(run, 1, shown))
  if (again !== 1) throw new Error(`was advised to wait ${waitMs} ms and was denied again`)
  run.log.push(run.now)
}

async function runScript(run: Run, requested: number, shown: Shown): Promise<number[]> {
  const { account, lists, anchor, now, random, shadow, keyShadow } = run
  const { startS, endS, followingEndS } = monthPeriodAt(anchor, now + random(2 * SKEW_MAX_MS) - SKEW_MAX_MS)
  run.periods.add(startS)
  const [own, ofKey] = lists.map(argvOf)
  const reply = await decide(account, {
    now,
    requested: requested,
    limits: own ?? [],
    month: [startS, endS, followingEndS],
    ...(ofKey === undefined ? {} : { caps: ofKey }),
    shadow: shadow && { mark: shadow.mark, limits: argvOf(shadow.limits) },
    keyShadow: keyShadow && { mark: keyShadow.mark, limits: argvOf(keyShadow.limits) },
  })
  const hasCaps = lists.length === 2
  const verdicts = [shadowOf(reply, requested, hasCaps), keyShadowOf(reply, requested, hasCaps)] as const
  if (shadow !== undefined) checkShadow(run, shadow, { requested, verdict: verdicts[0], reply, shown })
  if (keyShadow !== undefined) checkShadow(run, keyShadow, { requested, verdict: verdicts[1], reply, shown })
  shown.deniedByShadow += Number(verdicts[0].mask > 0)
  shown.deniedByKeyShadow += Number(verdicts[1].mask > 0)
  return reply
}

const argvOf = ({ windows, month }: Limits) => [...windows, month, OPEN_MAX]

type ShadowReply = { requested: number; verdict: Shadowed; reply: number[]; shown: Shown }

/** The shadow decides every request, whatever the limits in force decided, as if it were the limit. */
function checkShadow({ anchor, now }: Run, shadow: Proposal, { requested, verdict, reply, shown }: ShadowReply): void {
  const { admitted: admittedCount, waitMs } = verdict
  try {
    checkVerdict({ lists: [shadow.limits], log: shadow.log, anchor, now }, requested, verdict)
  } catch (cause) {
    throw new Error(`shadow: ${String(cause)}`, { cause })
  }
  for (let n = 0; n < admittedCount; n += 1) shadow.log.push(now)
  shown.waitedForShadow += Number(waitMs > 0)
  shown.admittedByShadow += Number(admittedCount > admitted(reply))
}

function pause(random: Random): number {
  const kind = random(100)
  if (kind < 60) return random(150)
  if (kind < 85) return random(3_000)
  return kind < 97 ? random(400_000) : random(2e7)
}

/** Up to days, and often to within moments of the month's end. */
function longPause({ random, anchor, now }: Run): number {
  if (random(4) > 0) return random(3 * DAY_MS)
  const { endS } = monthPeriodAt(anchor, now)
  return Math.max(0, endS * 1_000 - now + random(4_000) - 2_000)
}

function seeded(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
