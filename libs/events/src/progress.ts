import type { Consumer, Kafka } from 'kafkajs'

const CHECK_EVERY_MS = 10_000
const STUCK_AFTER_MS = 30_000

export type Progress = {
  /** Messages not applied yet, over the partitions of this process, as of the last check. */
  lag: () => number
  /** True when there was lag and nothing moved for half a minute: liveness should fail. */
  isStuck: () => boolean
  stop: () => Promise<void>
}
export type ProgressOptions = {
  kafka: Kafka
  consumer: Consumer
  /** Where the listener stands, by `topic/partition`. */
  nextOffsets: () => Promise<ReadonlyMap<string, bigint>>
  now: () => Date
}

/** A consumer can heart-beat and read nothing: this compares what it applied with what the broker has. */
export function watchProgress({ kafka, consumer, nextOffsets, now }: ProgressOptions): Progress {
  const admin = kafka.admin()
  let assigned: Record<string, number[]> = {}
  let lag = 0
  let appliedSum = 0n
  let lastMoveMs = now().getTime()
  let isConnected = false

  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    assigned = payload.memberAssignment
    lastMoveMs = now().getTime()
  })
  const check = async () => {
    if (!isConnected) await admin.connect()
    isConnected = true
    const applied = await nextOffsets()
    let behind = 0
    let sum = 0n
    for (const [topic, partitions] of Object.entries(assigned)) {
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
        if (!partitions.includes(partition)) continue
        const next = applied.get(`${topic}/${partition}`) ?? BigInt(low)
        sum += next
        behind += Number(BigInt(high) - next)
      }
    }
    if (behind === 0 || sum !== appliedSum) lastMoveMs = now().getTime()
    appliedSum = sum
    lag = behind
  }
  const timer = setInterval(() => void check().catch(() => {}), CHECK_EVERY_MS)
  timer.unref()
  return {
    lag: () => lag,
    isStuck: () => lag > 0 && now().getTime() - lastMoveMs > STUCK_AFTER_MS,
    async stop() {
      clearInterval(timer)
      if (isConnected) await admin.disconnect()
    },
  }
}
