import { createKafka } from '@tapeline/events/kafka'
import { listen } from '@tapeline/events/listen'
import type { KnownKeys } from './known-keys.ts'
import type { StartOptions } from './start-options.ts'
import { subscriptionsOf } from './subscriptions.ts'
import type { TierDocuments } from './tier-documents.ts'

const LISTEN_RETRY_MS = 2_000

/** Joins the topics beside everything else: without Kafka a gateway starts too, its records are checked by version anyway. */
export function hearChanges({ config, logger, running }: StartOptions, known: KnownKeys, tiers: TierDocuments): void {
  const kafka = createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'gateway', log: logger })
  const group = `gateway-${crypto.randomUUID()}`
  let stopListening: (() => Promise<void>) | undefined
  let isStopped = false
  let isToldOf = false
  const join = async (): Promise<void> => {
    try {
      const listeners = subscriptionsOf(known, tiers)
      const { stop } = await listen({ kafka, group, topicPrefix: config.KAFKA_TOPIC_PREFIX, listeners })
      stopListening = stop
      if (isStopped) await stop()
    } catch (error) {
      if (!isToldOf) logger.warn({ error: String(error) }, 'changes cannot be heard from Kafka yet')
      isToldOf = true
      if (!isStopped) setTimeout(() => void join(), LISTEN_RETRY_MS).unref()
    }
  }
  void join()
  running.onStop('listener', async () => {
    isStopped = true
    await stopListening?.()
  })
}
