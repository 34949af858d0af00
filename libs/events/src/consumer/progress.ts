import type { Admin, Kafka } from 'kafkajs'
import type { Log } from '../log.ts'
import { createStallDetector } from './stall-detector.ts'

/** With 30 s without progress and the restart, a stalled process is replaced within 45 s. */
const CHECK_EVERY_MS = 5_000
const STUCK_AFTER_MS = 30_000
const CHECK_RETRIES = 2

export type Progress = {
  /** Unapplied messages in the partitions of this process, as of the last check. */
  lag: () => number
  /** True when a partition had unapplied messages and made no progress for 30 s: the process should be restarted. */
  isStuck: () => boolean
  /** Records the partitions, by topic, now assigned to this process. */
  joined: (assignment: Record<string, number[]>) => void
  stop: () => Promise<void>
}
export type ProgressOptions = {
  kafka: Kafka
  group: string
  topics: readonly string[]
  log: Log
  /** Next offset to apply, by `topic/partition`. */
  nextOffsets: () => Promise<ReadonlyMap<string, bigint>>
  now: () => Date
  checkEveryMs?: number
  stuckAfterMs?: number
  onCaughtUp?: (at: Date) => Promise<void>
}

type End = { topic: string; partition: number; low: bigint; high: bigint }
type EndOffsets = { at: Date; ends: End[] }
type Applied = ReadonlyMap<string, bigint>

/**
 * Compares the applied offsets with the broker's, because a consumer can send heartbeats without reading. Only the
 * time between two successful checks counts as stuck, so an outage of Kafka or PostgreSQL does not fail liveness.
 */
export function watchProgress(options: ProgressOptions): Progress {
  const { checkEveryMs = CHECK_EVERY_MS, stuckAfterMs = STUCK_AFTER_MS } = options
  const admin = options.kafka.admin({ retry: { retries: CHECK_RETRIES } })
  let assigned: Record<string, number[]> = {}
  const detector = createStallDetector({ checkEveryMs, stalledAfterMs: stuckAfterMs })
  let lag = 0
  let pending: EndOffsets | undefined
  let isChecking = false
  let isConnected = false
  let isStopped = false

  const check = async () => {
    if (!isConnected) await admin.connect()
    isConnected = true
    if (isStopped) return
    const current = await readEnds(admin, options)
    const applied = await options.nextOffsets()
    watchPartitions(current, applied)
    const done = [current, pending].find((ends) => ends?.ends.every((end) => lagOf(applied, end) === 0))
    if (done !== undefined) await options.onCaughtUp?.(done.at)
    if (done !== undefined || pending === undefined) pending = done === current ? undefined : current
  }
  const watchPartitions = ({ at, ends }: EndOffsets, applied: Applied) => {
    const own = ends.filter(({ topic, partition }) => assigned[topic]?.includes(partition))
    lag = own.reduce((sum, end) => sum + lagOf(applied, end), 0)
    const partitions = own.map((end) => ({ ...end, position: nextOf(applied, end), waiting: lagOf(applied, end) }))
    for (const { topic, partition, position, waiting, since } of detector.observe(at, partitions)) {
      options.log.error(
        { group: options.group, topic, partition, next: String(position), waiting, since },
        'consumer: a partition has waiting messages and makes no progress; the process exits to be restarted',
      )
    }
  }
  const checkOnce = async () => {
    if (isChecking) return
    isChecking = true
    await check().catch(() => {})
    isChecking = false
    // kafkajs cannot cancel a connection attempt: one that was pending at the stop is closed here.
    if (isStopped) await admin.disconnect().catch(() => {})
  }
  const timer = setInterval(() => void checkOnce(), checkEveryMs)
  timer.unref()
  return {
    lag: () => lag,
    isStuck: () => detector.isStalled(),
    joined(assignment) {
      assigned = assignment
      detector.reset()
    },
    async stop() {
      clearInterval(timer)
      isStopped = true
      if (isConnected) await admin.disconnect()
    },
  }
}

async function readEnds(admin: Admin, { topics, now }: ProgressOptions): Promise<EndOffsets> {
  const at = now()
  const ends: End[] = []
  for (const topic of topics) {
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      ends.push({ topic, partition, low: BigInt(low), high: BigInt(high) })
    }
  }
  return { at, ends }
}

/** Messages before `low` were deleted by Kafka and cannot be applied any more. */
function nextOf(applied: Applied, { topic, partition, low }: End): bigint {
  const next = applied.get(`${topic}/${partition}`) ?? low
  return next > low ? next : low
}

function lagOf(applied: Applied, end: End): number {
  return Math.max(0, Number(end.high - nextOf(applied, end)))
}
