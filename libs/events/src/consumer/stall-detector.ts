/** One assigned partition at the time of a check. */
export type PartitionState = {
  topic: string
  partition: number
  /** First offset that has not been applied. */
  position: bigint
  /** Number of messages from `position` to the end of the partition. */
  waiting: number
}
/** A partition with waiting messages that makes no progress. */
export type Stall = PartitionState & {
  /** The last check at which it had advanced, had nothing waiting or was new. */
  since: Date
}
export type StallDetector = {
  /**
   * Evaluates a check of all assigned partitions.
   * @returns the partitions that have stalled since the check before
   */
  observe: (at: Date, partitions: readonly PartitionState[]) => Stall[]
  isStalled: () => boolean
  /** To be called after an assignment: a partition that was just assigned is not stalled. */
  reset: () => void
}
export type StallTimes = {
  /** Expected time between two checks. After a longer one, for example an outage, at most twice this time counts. */
  checkEveryMs: number
  stalledAfterMs: number
}

type Watched = { position: bigint; since: Date; stillMs: number }

/**
 * A fetch returns only some of the partitions with a backlog, chosen at random. While the consumer works through one, a
 * partition may wait for its turn, and only this share of the time counts.
 */
const SHARE_WHEN_BEHIND = 0.1

/**
 * Each partition is judged on its own, because one can fail repeatedly, or be on a broker whose batch never ends, while
 * the others advance.
 */
export function createStallDetector({ checkEveryMs, stalledAfterMs }: StallTimes): StallDetector {
  let watched = new Map<string, Watched>()
  let stalls = new Map<string, Stall>()
  let lastCheckMs: number | undefined
  let isBehind = false
  /** How long no partition has advanced. */
  let allStillMs = 0

  const advanceOf = (one: PartitionState) => Number(one.position - (watched.get(keyOf(one))?.position ?? one.position))
  const watch = (one: PartitionState, at: Date, elapsedMs: number): Watched => {
    const before = watched.get(keyOf(one))
    const { position } = one
    if (before?.position !== position || one.waiting === 0) return { position, since: at, stillMs: 0 }
    return { ...before, stillMs: before.stillMs + elapsedMs * (isBehind ? SHARE_WHEN_BEHIND : 1) }
  }
  const stallOf = (one: PartitionState): Stall[] => {
    const { since, stillMs } = watched.get(keyOf(one)) ?? { since: new Date(0), stillMs: 0 }
    return one.waiting > 0 && Math.max(stillMs, allStillMs) >= stalledAfterMs ? [{ ...one, since }] : []
  }
  return {
    observe(at, partitions) {
      const elapsedMs = Math.min(at.getTime() - (lastCheckMs ?? at.getTime()), 2 * checkEveryMs)
      lastCheckMs = at.getTime()
      const advanced = partitions.filter((one) => advanceOf(one) !== 0)
      if (advanced.length > 0) isBehind = sum(advanced, ({ waiting }) => waiting) > sum(advanced, advanceOf)
      const isStill = advanced.length === 0 && partitions.some(({ waiting }) => waiting > 0)
      allStillMs = isStill ? allStillMs + elapsedMs : 0
      watched = new Map(partitions.map((one) => [keyOf(one), watch(one, at, elapsedMs)]))
      const before = stalls
      stalls = new Map(partitions.flatMap(stallOf).map((stall) => [keyOf(stall), stall]))
      return [...stalls].filter(([key]) => !before.has(key)).map(([, stall]) => stall)
    },
    isStalled: () => stalls.size > 0,
    reset() {
      watched = new Map()
      stalls = new Map()
      lastCheckMs = undefined
      isBehind = false
      allStillMs = 0
    },
  }
}

function keyOf({ topic, partition }: PartitionState): string {
  return `${topic}/${partition}`
}

function sum<T>(list: readonly T[], numberOf: (one: T) => number): number {
  return list.reduce((total, one) => total + numberOf(one), 0)
}
