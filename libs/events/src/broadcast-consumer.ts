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
  /**
   * Called after each join, also after an outage: messages sent from here on are delivered, earlier ones may have been
   * missed, so state that they announce must be loaded again.
   */
  onReceiving?: () => void
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
 *
 * Each attempt uses a new group, which kafkajs requires: after a killed broker, the group would wait until the
 * session of its previous member has expired (8 s).
 */
export function startBroadcastConsumer({ log, ...options }: BroadcastOptions): BroadcastConsumer {
  const { promise: joined, resolve: setJoined } = Promise.withResolvers<void>()
  let disconnect: (() => Promise<void>) | undefined
  let isStopped = false
  let isOutageLogged = false
  const join = async (): Promise<void> => {
    try {
      const onJoined = () => {
        isOutageLogged = false
        setJoined()
      }
      disconnect = await subscribe(options, { onJoined, onCrash: joinLater })
      if (isStopped) await disconnect()
    } catch (error) {
      joinLater(error)
    }
  }
  function joinLater(error: unknown): void {
    if (isStopped) return
    if (!isOutageLogged)
      log.warn({ error: String(error) }, 'broadcast consumer: failed; rejoining Kafka every 2 s until it succeeds')
    isOutageLogged = true
    setTimeout(() => void (isStopped || join()), RETRY_MS).unref()
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

type Hooks = { onJoined: () => void; onCrash: (error: Error) => void }

async function subscribe(
  { kafka, name, topics, onMessage, onReceiving }: Omit<BroadcastOptions, 'log'>,
  { onJoined, onCrash }: Hooks,
): Promise<() => Promise<void>> {
  const groupId = `${name}-${crypto.randomUUID()}`
  const retry = { ...CONSUMER_OPTIONS.retry, restartOnFailure: async () => false }
  const consumer = kafka.consumer({ groupId, ...CONSUMER_OPTIONS, retry })
  let hasFetched = false
  consumer.on(consumer.events.GROUP_JOIN, () => {
    hasFetched = false
    onJoined()
  })
  // The first fetch after a join sets the offset from which messages are delivered.
  consumer.on(consumer.events.FETCH, () => {
    if (!hasFetched) onReceiving?.()
    hasFetched = true
  })
  consumer.on(consumer.events.CRASH, ({ payload }) => onCrash(payload.error))
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
