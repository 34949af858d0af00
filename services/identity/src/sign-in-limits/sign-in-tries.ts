import { hash } from 'node:crypto'
import { AppError } from '@tapeline/service/app-error'
import type { RedisClient } from '@tapeline/service/redis'
import { REFUND_TRY, TAKE_TRY } from './sign-in-tries-scripts.ts'

export type TrySettings = {
  /** Failed tries at an account, from anywhere, before the delay starts. */
  perAccount: number
  /** The same from one network at one account, and from one known device. */
  perPair: number
  delayMaxMs: number
}
/** The account and the origin of a try; `deviceId` of a known device. */
export type Tried = { email: string; network: string | undefined; deviceId: string | undefined }
export type SignInTries = {
  /**
   * Counts a try before the password is verified, so that concurrent tries cannot bypass the delay.
   * @throws AppError with Retry-After while delayed
   */
  take: (tried: Tried) => Promise<void>
  /** Removes a try that was not a guess: the password was correct, or was not verified. */
  refund: (tried: Tried, outcome: 'right' | 'not looked at') => Promise<void>
  /** Deletes all counts of this account. */
  forget: (email: string) => Promise<void>
}

const FIRST_DELAY_MS = 1_000
/** Counts expire after an hour without a try. */
const QUIET_MS = 3_600_000
const LOCAL_ACCOUNTS_MAX = 10_000

/**
 * Delays sign-ins increasingly after wrong passwords at an account. Its known devices are delayed only by their own
 * tries.
 */
export function createSignInTries(
  redis: RedisClient,
  { perAccount, perPair, delayMaxMs }: TrySettings,
  now: () => Date,
): SignInTries {
  // Without Redis each process counts in memory, so that guessing stays slow.
  const local = new Map<string, TryCounts>()
  const localCounts = (key: string): TryCounts => {
    const found = local.get(key) ?? new Map()
    if (local.size >= LOCAL_ACCOUNTS_MAX) local.clear()
    return local.set(key, found).get(key) ?? found
  }
  const rulesOf = ({ network = 'unknown', deviceId }: Tried): Rule[] =>
    deviceId === undefined
      ? [
          { name: 'account', free: perAccount, firstDelayMs: FIRST_DELAY_MS, delayMaxMs },
          { name: `from ${network}`, free: perPair, firstDelayMs: FIRST_DELAY_MS, delayMaxMs },
        ]
      : [{ name: `device ${deviceId}`, free: perPair, firstDelayMs: FIRST_DELAY_MS, delayMaxMs }]
  return {
    async take(tried) {
      const rules = rulesOf(tried)
      const key = keyOf(tried.email)
      const nowMs = now().getTime()
      const flat = rules.flatMap(({ name, free, firstDelayMs }) => [name, free, firstDelayMs, delayMaxMs])
      const waitMs = await redis
        .eval(TAKE_TRY, 1, key, nowMs, QUIET_MS, ...flat)
        .then(Number, () => countTry(localCounts(key), rules, nowMs))
      if (waitMs > 0) throw tooManyTries(waitMs)
    },
    async refund(tried, outcome) {
      const names = rulesOf(tried).map(({ name }) => name)
      const cleared = outcome === 'right' ? names.filter((name) => name !== 'account') : []
      const key = keyOf(tried.email)
      await redis
        .eval(REFUND_TRY, 1, key, ...names.flatMap((name) => [name, cleared.includes(name) ? 'all' : 'one']))
        .catch(() => refundTry(localCounts(key), names, cleared))
    },
    async forget(email) {
      local.delete(keyOf(email))
      await redis.del(keyOf(email))
    },
  }
}

/** Only a hash of the e-mail is stored, whether or not an account has it. */
function keyOf(email: string): string {
  return `tries:{${hash('sha256', email)}}`
}

function tooManyTries(waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new AppError('throttle.exceeded', `Too many requests. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}

type Rule = { name: string; free: number; firstDelayMs: number; delayMaxMs: number }
type TryCounts = Map<string, { tries: number; untilMs: number }>

const DOUBLINGS_MAX = 30

/** In-memory version of TAKE_TRY: returns how long to wait, or 0 after incrementing every count. */
function countTry(counts: TryCounts, rules: readonly Rule[], nowMs: number): number {
  const waits = rules.map(({ name, delayMaxMs }) => Math.min((counts.get(name)?.untilMs ?? 0) - nowMs, delayMaxMs))
  const waitMs = Math.max(...waits)
  if (waitMs > 0) return waitMs
  for (const { name, free, firstDelayMs, delayMaxMs } of rules) {
    const tries = (counts.get(name)?.tries ?? 0) + 1
    const delayMs = Math.min(firstDelayMs * 2 ** Math.min(tries - free, DOUBLINGS_MAX), delayMaxMs)
    counts.set(name, { tries, untilMs: tries < free ? 0 : nowMs + delayMs })
  }
  return 0
}

/** In-memory version of GIVE_BACK_TRY. */
function refundTry(counts: TryCounts, names: readonly string[], cleared: readonly string[]): void {
  for (const name of names) {
    const tries = counts.get(name)?.tries ?? 0
    if (cleared.includes(name) || tries <= 1) counts.delete(name)
    else counts.set(name, { tries: tries - 1, untilMs: 0 })
  }
}
