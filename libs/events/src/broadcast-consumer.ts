import type { Kafka } from 'kafkajs'
import { CONSUMER_OPTIONS } from './kafka.ts'
import type { Log } from './log.ts'

const RETRY_MS = 2_000

export type BroadcastOptions = {
  kafka: Kafka
  /** Process kind, with the topic prefix; each process gets its own consumer group. */
  name: string
  topics: readonly string[]
  /** `appendedMs`: when Kafka or its producer stamped the message. */
  onMessage: (value: Buffer | null, appendedMs: number) => void
  log: Log
}
export type BroadcastConsumer = {
  /** Resolves after the first partition assignment. */
  joined: Promise<void>
  stop: () => Promise<void>
}

/**
 * Delivers every message sent from now on to every process; offsets are never committed. Connects in the background
 * and retries every 2 s, so a process starts without Kafka.
 */
export function startBroadcastConsumer({ log, ...options }: BroadcastOptions): BroadcastConsumer {
  const group = `${options.name}-${crypto.randomUUID()}`
  const { promise: joined, resolve: setJoined } = Promise.withResolvers<void>()
  let disconnect: (() => Promise<void>) | undefined
  let isStopped = false
  let isOutageLogged = false
  const join = async (): Promise<void> => {
    try {
      disconnect = await subscribe(options, group, setJoined)
      if (isStopped) await disconnect()
    } catch (error) {
      if (!isOutageLogged)
        log.warn({ error: String(error) }, 'broadcast consumer cannot join Kafka; retrying every 2 s')
      isOutageLogged = true
      if (!isStopped) setTimeout(() => void join(), RETRY_MS).unref()
    }
  }
  void join()
  return {
    joined,
    async stop() {
      isStopped = true
      await disconnect?.()
    },
  }
}

async function subscribe(
  { kafka, topics, onMessage }: Omit<BroadcastOptions, 'log'>,
  groupId: string,
  onJoined: () => void,
): Promise<() => Promise<void>> {
  const consumer = kafka.consumer({ groupId, ...CONSUMER_OPTIONS })
  consumer.on(consumer.events.GROUP_JOIN, () => onJoined())
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [...topics], fromBeginning: false })
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message }) => onMessage(message.value, Number(message.timestamp)),
    })
  } catch (error) {
    await consumer.disconnect().catch(() => {})
    throw error
  }
  return () => consumer.disconnect()
}
