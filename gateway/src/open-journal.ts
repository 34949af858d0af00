import { usageRequestServed } from '@tapeline/contracts/usage/events'
import type { EventRoutes } from '@tapeline/events/route-events'
import type { claimJournalSlots } from './journal-slot.ts'
import { kafkaThread, type KafkaThread } from './kafka-thread.ts'
import type { StartOptions } from './start-options.ts'
import { UsageJournal } from './usage-journal.ts'

type Slots = ReturnType<typeof claimJournalSlots>

/**
 * The journal, and the thread that ships it and hears of changes; what is still in the journal at the end is shipped by the
 * next start. Without Kafka a gateway starts too: its records are checked by version anyway.
 */
export function openJournal(
  { config, logger, running }: StartOptions,
  { own, adopted }: Slots,
  { topics, onMessage }: EventRoutes,
): { journal: UsageJournal; thread: KafkaThread } {
  const journal = new UsageJournal({
    dir: own,
    bytesMax: config.JOURNAL_BYTES_MAX,
    segmentBytes: config.JOURNAL_SEGMENT_BYTES,
    logger,
  })
  const { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: prefix } = config
  const { freed } = journal
  const topic = prefix + usageRequestServed.topic
  const hears = { topics, group: `${prefix}gateway` }
  const thread = kafkaThread(
    { dir: own, adopted, topic, freed, brokers, clientId: 'gateway', hears },
    logger,
    onMessage,
  )
  running.onStop('kafka', () => thread.stop())
  running.onStop('journal', () => journal.close())
  return { journal, thread }
}
