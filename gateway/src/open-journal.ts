import type { claimJournalSlots } from './journal-slot.ts'
import type { StartOptions } from './start-options.ts'
import { startShipper } from './start-shipper.ts'
import { UsageJournal } from './usage-journal.ts'

type Slots = ReturnType<typeof claimJournalSlots>

/** The journal and the thread that ships it; what is still in it at the end is shipped by the next start. */
export function openJournal({ config, logger, running }: StartOptions, { own, adopted }: Slots): UsageJournal {
  const journal = new UsageJournal({
    dir: own,
    bytesMax: config.JOURNAL_BYTES_MAX,
    segmentBytes: config.JOURNAL_SEGMENT_BYTES,
    logger,
  })
  const shipper = startShipper(
    {
      dir: own,
      adopted,
      brokers: config.KAFKA_BROKERS,
      topicPrefix: config.KAFKA_TOPIC_PREFIX,
      clientId: 'gateway-shipper',
      logLevel: config.LOG_LEVEL,
      freed: journal.freed,
    },
    logger,
  )
  running.onStop('shipper', () => shipper.stop())
  running.onStop('journal', () => journal.close())
  return journal
}
