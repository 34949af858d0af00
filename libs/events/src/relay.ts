import type { OutboxTables } from '@tapeline/database/outbox-table'
import type { WorkSignals } from '@tapeline/database/work-signals'
import type { Kysely } from 'kysely'
import type { Kafka, Producer } from 'kafkajs'
import { createProducer } from './kafka.ts'
import type { Log } from './log.ts'
import type { VersionChange } from './outbox.ts'
import { pause, untilAborted } from './consumer/pause.ts'
import { onOutboxSignal } from './outbox-signal.ts'
import {
  deletePublishedRows,
  hasUnsent,
  listUnsent,
  listUnwrittenVersions,
  markSent,
  markVersionWritten,
  OUTBOX_WORK,
  tryLockRelay,
} from './outbox-queries.ts'

/** After an insert or an announcement: transactions commit a moment after their insert, and more may follow. */
const POLL_MS = 150
const FAST_POLL_MS = 3_000
/** Afterwards, for transactions that stay open, and always while announcements of other processes can be lost. */
const IDLE_POLL_MS = 500
const IDLE_FOR_MS = 30_000
/** While commits are announced: in case an announcement is missing. */
const NET_POLL_MS = 5_000
const RETRY_MS = 1_000
const BATCH_ROWS = 200
/**
 * Kafka rejects a batch of a partition above 1 MB. The last event of a pass begins below this size, and none is larger than the rest:
 * reports with a file have up to 600 kB.
 */
const BATCH_BYTES = 262_144
/** Few, so that a send ends well before PostgreSQL's idle-in-transaction timeout. */
const SEND_RETRIES = 4

export type RelayOptions = {
  db: Kysely<OutboxTables>
  kafka: Kafka
  topicPrefix: string
  log: Log
  now: () => Date
  /** Writes a version unless Redis has a higher one; false when Redis did not respond. */
  raiseVersion: (change: VersionChange) => Promise<boolean>
  /** Announcements of other processes; without them the outbox is polled. */
  signals?: WorkSignals
}
/** What a pass left behind; `contended`: rows that the relay of another process is sending. */
type BatchOutcome = 'nothing' | 'more' | 'contended'
export type Relay = { stop: () => Promise<void> }

/**
 * Sends the outbox at least once and in order per aggregate: rows stay until the broker has them, so a crash at any
 * instruction only repeats events. A separate loop writes versions to Redis, independent of Kafka.
 */
export function startRelay(options: RelayOptions): Relay {
  const stopping = new AbortController()
  let producer: Producer | undefined
  const drop = async () => {
    const dropped = producer
    producer = undefined
    await dropped?.disconnect()
  }
  const sending = loop(stopping.signal, options, async () => {
    producer ??= await connect(options.kafka)
    try {
      return await sendBatch(options, producer)
    } catch (error) {
      await drop()
      throw error
    }
  })
  const versions = loop(stopping.signal, options, () => writeVersions(options))
  return {
    async stop() {
      stopping.abort()
      await Promise.all([sending, versions])
      await drop()
    },
  }
}

async function connect(kafka: Kafka): Promise<Producer> {
  const producer = createProducer(kafka, SEND_RETRIES)
  try {
    await producer.connect()
    return producer
  } catch (error) {
    await producer.disconnect()
    throw error
  }
}

async function sendBatch({ db, topicPrefix, now }: RelayOptions, producer: Producer): Promise<BatchOutcome> {
  if (!(await hasUnsent(db))) return 'nothing'
  return db.transaction().execute(async (trx) => {
    if (!(await tryLockRelay(trx))) return 'contended'
    const rows = await listUnsent(trx, { rowsMax: BATCH_ROWS, bytes: BATCH_BYTES })
    if (rows.length === 0) return 'nothing'
    const topics = Map.groupBy(rows, (row) => row.topic)
    await producer.sendBatch({
      acks: -1,
      topicMessages: [...topics].map(([topic, messages]) => ({
        topic: topicPrefix + topic,
        messages: messages.map(({ subject, envelope }) => ({ key: subject, value: JSON.stringify(envelope) })),
      })),
    })
    await markSent(
      trx,
      rows.map((row) => row.position),
      now(),
    )
    await deletePublishedRows(trx)
    return rows[0]?.has_more === true ? 'more' : 'nothing'
  })
}

async function writeVersions({ db, raiseVersion }: RelayOptions): Promise<BatchOutcome> {
  const rows = await listUnwrittenVersions(db, BATCH_ROWS)
  for (const { position, version_account, version_field, version } of rows) {
    if (version_account !== null && version_field !== null) {
      const isWritten = await raiseVersion({
        accountId: version_account,
        field: version_field,
        version: Number(version),
      })
      if (!isWritten) throw new Error('a version could not be written to Redis')
    }
    await db.transaction().execute(async (trx) => {
      await markVersionWritten(trx, position)
      await deletePublishedRows(trx)
    })
  }
  return rows.length >= BATCH_ROWS ? 'more' : 'nothing'
}

/** Repeats `pass`: immediately while there is more, otherwise after a pause, which is longer when idle and after a failure. */
async function loop(
  stopping: AbortSignal,
  { log, signals }: Pick<RelayOptions, 'log' | 'signals'>,
  pass: () => Promise<BatchOutcome>,
): Promise<void> {
  let isFailing = false
  const pace = createPace(signals)
  try {
    while (!stopping.aborted) {
      try {
        const outcome = await untilAborted(stopping, pass())
        isFailing = false
        if (outcome !== 'more') await pace.pause(stopping, outcome === 'contended')
      } catch (error) {
        if (!isFailing && !stopping.aborted) log.warn({ err: error }, 'outbox relay: failed; retrying')
        isFailing = true
        await pause(RETRY_MS, stopping)
      }
    }
  } finally {
    pace.end()
  }
}

/** Pauses of a loop: short from an insert of this process on, long when there was none for a while and all are announced. */
function createPace(signals: WorkSignals | undefined) {
  let insertedMs = Number.NEGATIVE_INFINITY
  let announcedMs = Number.NEGATIVE_INFINITY
  let isCommitted = false
  let wakeUp = new AbortController()
  const endInserts = onOutboxSignal(() => {
    insertedMs = performance.now()
    wakeUp.abort()
  })
  const endAnnouncements = signals?.on(OUTBOX_WORK, () => {
    announcedMs = performance.now()
    isCommitted = true
    wakeUp.abort()
  })
  const isPollingFast = () => performance.now() - Math.max(insertedMs, announcedMs) < FAST_POLL_MS
  const longPauseMs = (isContended: boolean) => {
    const canBeOpen = performance.now() - insertedMs < IDLE_FOR_MS
    return isContended || canBeOpen || signals?.isListening() !== true ? IDLE_POLL_MS : NET_POLL_MS
  }
  return {
    end() {
      endInserts()
      endAnnouncements?.()
    },
    async pause(stopping: AbortSignal, isContended: boolean): Promise<void> {
      if (!isPollingFast()) {
        isCommitted = false
        wakeUp = new AbortController()
        await pause(longPauseMs(isContended), AbortSignal.any([stopping, wakeUp.signal]))
        if (isCommitted) return
      }
      if (isPollingFast()) await pause(POLL_MS, stopping)
    },
  }
}
