import { deadLetterTopic } from '@tapeline/contracts/topics'
import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Transaction } from 'kysely'
import type { Kafka, KafkaMessage, Producer } from 'kafkajs'
import { insertDeadLetters } from './consumer-queries.ts'

const SEND_RETRIES = 3
const REASON_CHARACTERS_MAX = 500

export type Letter = { message: KafkaMessage; reason: string }
export type DeadLetters = { topic: string; partition: number; letters: Letter[]; now: Date }
export type DeadLetterBox = {
  store: (trx: Transaction<ConsumerTables>, deadLetters: DeadLetters) => Promise<void>
  stop: () => Promise<void>
}

/** Sends dead letters to `<topic>.dead` and saves them in the transaction that moves the offset past them. */
export function createDeadLetterBox(kafka: Kafka): DeadLetterBox {
  let connected: Promise<Producer> | undefined
  const producer = () => {
    connected ??= connect(kafka).catch((error: unknown) => {
      connected = undefined
      throw error
    })
    return connected
  }
  return {
    async store(trx, { topic, partition, letters, now }) {
      await send(await producer(), { topic, partition, letters, now })
      await insertDeadLetters(
        trx,
        letters.map(({ message, reason }) => ({
          topic,
          partition,
          message_offset: message.offset,
          reason: readableReason(reason),
          payload: (message.value ?? Buffer.alloc(0)).toString('base64'),
          created_at: now,
        })),
      )
    },
    async stop() {
      await (await connected?.catch(() => undefined))?.disconnect()
    },
  }
}

async function connect(kafka: Kafka): Promise<Producer> {
  const producer = kafka.producer({ retry: { retries: SEND_RETRIES }, allowAutoTopicCreation: false })
  await producer.connect()
  return producer
}

async function send(producer: Producer, { topic, partition, letters }: DeadLetters): Promise<void> {
  try {
    await producer.send({
      topic: deadLetterTopic(topic),
      messages: letters.map(({ message, reason }) => ({
        key: message.key,
        value: message.value,
        headers: { reason: readableReason(reason), offset: message.offset, partition: String(partition) },
      })),
    })
  } catch (error) {
    // With its headers a message can exceed the topic's size limit; it is still stored in the table.
    if (!isTooLarge(error)) throw error
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'MESSAGE_TOO_LARGE'
}

/** PostgreSQL's text cannot store NUL. */
export function readableReason(reason: string): string {
  return reason.replaceAll('\0', '').slice(0, REASON_CHARACTERS_MAX)
}
