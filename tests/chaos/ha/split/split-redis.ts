import { LOOPBACK } from '@tapeline/testing/programs/place'
import { queryRedis } from '@tapeline/testing/redis/redis-node'
import { REPLICA_LAG_MAX_S } from '@tapeline/testing/redis/redis-sentinels'
import { mostInWindow } from '@tapeline/testing/usage/most-in-window'
import { waitUntil } from '@tapeline/testing/wait-until'
import { type Field, pause } from '../../drill.ts'
import { WINDOWS } from '../../drills/redis-restarted.ts'
import { boundOf, checkRedisSplit, isolationOf, type RedisSplit, type WindowSplit } from './check-redis.ts'
import { type LimitedAccount, type LimitSide, startLimitSide } from './limit-side.ts'
import type { SplitOutcome } from './split-postgres.ts'
import type { SplitPlatform } from './split-platform.ts'

const CUT_GATEWAYS = 1
const KEPT_GATEWAYS = 2
const GATEWAYS = CUT_GATEWAYS + KEPT_GATEWAYS
const WITHIN_MS = 60_000
/** Longer than a failover and the lag after which the cut master rejects writes. */
const CUT_MS = 10_000
const LATER_MS = 8_000

type Sides = { cut: LimitSide; kept: LimitSide }

/** Cuts off the Redis master together with a Sentinel and a gateway, while gateways on both sides admit requests. */
export async function splitRedis(ha: SplitPlatform, { history }: Field): Promise<SplitOutcome> {
  const master = await ha.sentinels.master()
  const place = ha.redisPlaces[ha.sentinels.servers.indexOf(master)]
  if (place === undefined) throw new Error('the Redis master has no place')
  const [accounts, later] = [newAccounts(), newAccounts()]
  for (const { id } of [...accounts, ...later]) await seed(master, id)
  const common = { dir: ha.dir, redisUrl: ha.sentinels.url, gatewaysExpected: GATEWAYS, accounts, later }
  const [cut, kept] = await Promise.all([
    startLimitSide({ ...common, place, side: 'cut', gateways: CUT_GATEWAYS }),
    startLimitSide({ ...common, place: LOOPBACK, side: 'kept', gateways: KEPT_GATEWAYS }),
  ])
  const sides: Sides = { cut, kept }
  try {
    await untilHalfUsed(sides, accounts)
    const cutMs = Date.now()
    await history.during('cut', place.name, async () => place.cut())
    await waitUntil(
      'the other side uses a new master and the cut master rejects writes',
      () => Date.now() > cutMs + CUT_MS && kept.isDecidedByRedis() && !cut.isDecidedByRedis(),
      WITHIN_MS,
    )
    place.heal()
    const healedMs = Date.now()
    await waitUntil('one master decides', () => cut.isDecidedByRedis(), WITHIN_MS)
    const joinedMs = Date.now()
    await ha.sentinels.untilWhole()
    const wholeMs = Date.now()
    for (const side of [cut, kept]) side.startLater()
    await pause(LATER_MS)
    await Promise.all([cut.stop(), kept.stop()])
    const split: RedisSplit = {
      cutMs,
      healedMs,
      gateways: GATEWAYS,
      replicaLagMaxS: REPLICA_LAG_MAX_S,
      windows: windowsOf(sides, accounts),
      later: windowsOf(sides, later),
    }
    return {
      checks: checkRedisSplit(split),
      figures: {
        ...figuresOf(split),
        redisDecidedAgainMs: decidedAgainMs(kept, cutMs),
        redisJoinedMs: joinedMs - healedMs,
        redisWholeMs: wholeMs - healedMs,
      },
      loss: {
        names: [`${place.name} cut off`],
        kinds: ['Redis master cut off'],
        killedMs: cutMs,
        restartedMs: healedMs,
        endMs: Date.now(),
      },
    }
  } finally {
    place.heal()
    await Promise.all([cut.stop(), kept.stop()])
  }
}

/** One account per limit. */
function newAccounts(): LimitedAccount[] {
  return WINDOWS.map(({ limits }) => ({ id: crypto.randomUUID(), limits }))
}

/** What a gateway writes for an account without usage. */
async function seed(master: Parameters<typeof queryRedis>[0], accountId: string): Promise<void> {
  await queryRedis(master, ['HSET', `acct:{${accountId}}`, 'u', '1', 's', '1', 'k:x', '1', 'g', '1'])
}

async function untilHalfUsed(sides: Sides, accounts: readonly LimitedAccount[]): Promise<void> {
  await waitUntil(
    'half of every limit is used on both sides together',
    () => windowsOf(sides, accounts).every(({ admissions, limit }) => admissions.length >= limit / 2),
    WITHIN_MS,
  )
}

function windowsOf({ cut, kept }: Sides, accounts: readonly LimitedAccount[]): WindowSplit[] {
  return WINDOWS.map(({ policy, windowMs, limit }, n) => {
    const id = accounts[n]?.id ?? ''
    const admissions = [...cut.admissionsOf(id), ...kept.admissionsOf(id)]
    return { policy, windowMs, limit, sent: cut.sentOf(id) + kept.sentOf(id), admissions }
  })
}

/** From the cut until Redis makes the decisions of every gateway again on the side that was kept. */
function decidedAgainMs({ changes }: LimitSide, cutMs: number): number {
  const after = changes.filter(({ atMs, by }) => atMs > cutMs && by === 'redis')
  const firsts = [...Map.groupBy(after, ({ gateway }) => gateway).values()].map(([first]) => first?.atMs ?? cutMs)
  return Math.max(cutMs, ...firsts) - cutMs
}

function figuresOf(split: RedisSplit): Record<string, number> {
  const { isolated, isolatedForMs } = isolationOf(split)
  const byShare = split.windows
    .flatMap(({ admissions }) => admissions)
    .filter(({ side, by, atMs }) => side === 'cut' && by === 'share' && atMs > split.cutMs)
  const windows = split.windows.flatMap((window) => [
    [
      `${window.policy}Most`,
      mostInWindow(
        window.admissions.map(({ atMs }) => atMs),
        window.windowMs,
      ),
    ] as const,
    [`${window.policy}AtMost`, boundOf(split, window)] as const,
  ])
  const isolation = { redisIsolated: isolated, redisIsolatedForMs: isolatedForMs, redisCutShare: byShare.length }
  return { ...isolation, ...Object.fromEntries(windows) }
}
