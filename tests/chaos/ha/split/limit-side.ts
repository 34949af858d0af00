import { join } from 'node:path'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import type { Place } from '@tapeline/testing/programs/place'
import { runChild } from '../../../../deploy/local/processes/run-child.ts'
import type { Admission } from './check-redis.ts'

export type LimitedAccount = { id: string; limits: Partial<RateLimits> }
export type LimitSideOptions = {
  dir: string
  place: Place
  side: Admission['side']
  redisUrl: string
  /** On this side, and on both. */
  gateways: number
  gatewaysExpected: number
  accounts: readonly LimitedAccount[]
  later: readonly LimitedAccount[]
}
/** The limiters of one side with their traffic, and what they have reported so far. */
export type LimitSide = {
  admissionsOf: (accountId: string) => Admission[]
  sentOf: (accountId: string) => number
  /** Whether Redis makes the decisions of every gateway of this side. */
  isDecidedByRedis: () => boolean
  /** When each gateway's decisions passed to Redis or to the share, in order. */
  changes: Change[]
  /** Ends the traffic of the first accounts and starts that of the later ones. */
  startLater: () => void
  stop: () => Promise<void>
}
type Change = { gateway: number; by: Admission['by']; atMs: number }
type Line =
  | { kind: 'admitted'; account: string; atMs: number; by: Admission['by'] }
  | ({ kind: 'decider' } & Change)
  | { kind: 'sent'; sent: Record<string, number> }

const SCRIPT = join(import.meta.dirname, '../../../../gateway/bench/split/limit-clients.ts')
const STOP_TIMEOUT_MS = 5_000
/** On a loaded machine a reply may take longer than production's 50 ms. */
const REPLY_WITHIN_MS = 250
const PER_SECOND = 10

/** Starts the limiters of one side, each with constant traffic of every account. */
export async function startLimitSide(options: LimitSideOptions): Promise<LimitSide> {
  const { dir, place, side, redisUrl, gateways, gatewaysExpected, accounts, later } = options
  const admissions = new Map<string, Admission[]>()
  const deciders = new Map<number, Admission['by']>()
  const changes: Change[] = []
  let sent: Record<string, number> = {}
  const take = (line: Line): void => {
    if (line.kind === 'sent') sent = line.sent
    else if (line.kind === 'decider') {
      const { gateway, by, atMs } = line
      deciders.set(gateway, by)
      changes.push({ gateway, by, atMs })
    } else {
      const { account, atMs, by } = line
      admissions.set(account, [...(admissions.get(account) ?? []), { atMs, side, by }])
    }
  }
  const settings = { redisUrl, gateways, gatewaysExpected, accounts, later }
  const timing = { replyWithinMs: REPLY_WITHIN_MS, perSecond: PER_SECOND }
  const child = await runChild({
    name: `limits-${side}`,
    ...place.wrap(process.execPath, [SCRIPT, JSON.stringify({ ...settings, ...timing })]),
    dir,
    marker: SCRIPT,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    // Warnings of Node are no JSON.
    output: { onLine: (text) => (text.startsWith('{') ? take(JSON.parse(text) as Line) : undefined) },
  })
  return {
    admissionsOf: (accountId) => admissions.get(accountId) ?? [],
    sentOf: (accountId) => sent[accountId] ?? 0,
    isDecidedByRedis: () => deciders.size === gateways && [...deciders.values()].every((by) => by === 'redis'),
    changes,
    startLater: () => void process.kill(child.pid, 'SIGUSR2'),
    stop: child.stop,
  }
}
