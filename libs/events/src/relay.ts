import type { OutboxTables } from '@tapeline/database/outbox-table'
import type { Kysely } from 'kysely'
import type { Kafka, Producer } from 'kafkajs'
import { createProducer } from './kafka.ts'
import type { Log } from './log.ts'
import type { VersionChange } from './outbox.ts'
import { pause, untilAborted } from './consumer/pause.ts'
import { onOutboxSignal } from './outbox-signal.ts'
import {
  deleteFinished,
  hasUnsent,
  listUnsent,
  listUnwrittenVersions,
  markSent,
  markVersionWritten,
  tryLockRelay,
} from './outbox-queries.ts'

/** While this process writes to its outbox: transactions commit a moment after their insert. */
const POLL_MS = 150
const QUICK_FOR_MS = 3_000
/** Otherwise: what other processes wrote. */
const IDLE_POLL_MS = 500
const RETRY_MS = 1_000
const BATCH_ROWS = 200
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
}
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
  const sending = loop(stopping.signal, options.log, async () => {
    producer ??= await connect(options.kafka)
    try {
      return await sendBatch(options, producer)
    } catch (error) {
      await drop()
      throw error
    }
  })
  const versions = loop(stopping.signal, options.log, () => writeVersions(options))
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

async function sendBatch({ db, topicPrefix, now }: RelayOptions, producer: Producer): Promise<number> {
  if (!(await hasUnsent(db))) return 0
  const sent = await db.transaction().execute(async (trx) => {
    if (!(await tryLockRelay(trx))) return 0
    const rows = await listUnsent(trx, BATCH_ROWS)
    if (rows.length === 0) return 0
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
    return rows.length
  })
  if (sent > 0) await deleteFinished(db)
  return sent
}

async function writeVersions({ db, raiseVersion }: RelayOptions): Promise<number> {
  const rows = await listUnwrittenVersions(db, BATCH_ROWS)
  for (const { position, version_account, version_field, version } of rows) {
    if (version_account !== null && version_field !== null) {
      const isWritten = await raiseVersion({
        accountId: version_account,
        field: version_field,
        version: Number(version),
      })
      if (!isWritten) throw new Error('Redis did not take a version')
    }
    await markVersionWritten(db, position)
  }
  if (rows.length > 0) await deleteFinished(db)
  return rows.length
}

/** Repeats `pass`: immediately while there is work, otherwise after a pause, which is longer when idle and after a failure. */
async function loop(stopping: AbortSignal, log: Log, pass: () => Promise<number>): Promise<void> {
  let isFailing = false
  const pace = createPace()
  try {
    while (!stopping.aborted) {
      try {
        const isMore = ((await untilAborted(stopping, pass())) ?? 0) >= BATCH_ROWS
        isFailing = false
        if (!isMore) await pace.pause(stopping)
      } catch (error) {
        if (!isFailing && !stopping.aborted) log.warn({ err: error }, 'outbox relay failed; retrying')
        isFailing = true
        await pause(RETRY_MS, stopping)
      }
    }
  } finally {
    pace.end()
  }
}

/** Pauses of a loop, short from an insert of this process on and long when there was none for a while. */
function createPace() {
  let quickUntilMs = 0
  let waking = new AbortController()
  const end = onOutboxSignal(() => {
    quickUntilMs = performance.now() + QUICK_FOR_MS
    waking.abort()
  })
  const isQuick = () => performance.now() < quickUntilMs
  return {
    end,
    async pause(stopping: AbortSignal): Promise<void> {
      if (!isQuick()) {
        waking = new AbortController()
        await pause(IDLE_POLL_MS, AbortSignal.any([stopping, waking.signal]))
      }
      if (isQuick()) await pause(POLL_MS, stopping)
    },
  }
}
