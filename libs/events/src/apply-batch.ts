import type { Event } from '@tapeline/contracts/event'
import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Transaction } from 'kysely'
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import type { Work } from './consumer-options.ts'
import { lockNextOffset, markApplied } from './consumer-queries.ts'
import type { Letter } from './dead-letter-box.ts'
import { goToNextOffset } from './go-to-next-offset.ts'
import { isTransient } from './is-transient.ts'
import type { Subscription } from './subscription.ts'

type Place = { topic: string; partition: number }

/** Applies a batch in one transaction; when a message spoils it, one by one, and the spoiler becomes a dead letter. */
export async function applyBatch<Tables extends ConsumerTables>(
  work: Work<Tables>,
  consumer: Consumer,
  payload: EachBatchPayload,
): Promise<void> {
  const { topic, partition, messages } = payload.batch
  const place = { topic, partition }
  const last = messages.at(-1)
  if (last === undefined || payload.isStale() || !(await goToNextOffset(work, consumer, payload.batch))) return
  try {
    await applyMessages(work, place, messages)
  } catch (error) {
    if (isTransient(error)) throw error
    work.options.log.warn({ err: error, ...place }, 'a batch failed; applying its messages one by one')
    for (const message of messages) {
      if (!payload.isRunning() || payload.isStale()) return
      await applyOne(work, place, message)
      await payload.heartbeat()
    }
  }
  payload.resolveOffset(last.offset)
}

/** One message in a transaction of its own; a failure that will not pass by itself makes it a dead letter. */
async function applyOne<Tables extends ConsumerTables>(
  work: Work<Tables>,
  place: Place,
  message: KafkaMessage,
): Promise<void> {
  try {
    await applyMessages(work, place, [message])
  } catch (error) {
    if (isTransient(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    work.options.log.error({ err: error, ...place, offset: message.offset }, 'a message became a dead letter')
    await inOrder(work, place, [message], (trx) => bury(work, trx, place, [{ message, reason }]))
  }
}

async function applyMessages<Tables extends ConsumerTables>(
  work: Work<Tables>,
  place: Place,
  messages: KafkaMessage[],
): Promise<void> {
  const parser = work.parsers.get(place.topic)
  await inOrder(work, place, messages, async (trx, fresh) => {
    const events: Event<unknown>[] = []
    const letters: Letter[] = []
    for (const message of fresh) {
      const parsed = parser?.(message.value) ?? { ignored: true }
      const fault = 'event' in parsed ? faultOf(work.options.subscriptions, parsed.event) : undefined
      if ('poison' in parsed) letters.push({ message, reason: parsed.poison })
      else if (fault !== undefined) letters.push({ message, reason: fault })
      else if ('event' in parsed) events.push(parsed.event)
    }
    await applyEvents(work.options.subscriptions, trx, events)
    if (letters.length > 0) await bury(work, trx, place, letters)
  })
}

/** Gives `apply` the messages not applied yet, and moves the offset in the same transaction. */
async function inOrder<Tables extends ConsumerTables>(
  { options }: Work<Tables>,
  { topic, partition }: Place,
  messages: KafkaMessage[],
  apply: (trx: Transaction<Tables>, fresh: KafkaMessage[]) => Promise<void>,
): Promise<void> {
  await options.db.transaction().execute(async (trx) => {
    const next = await lockNextOffset(asConsumer(trx), topic, partition)
    const fresh = messages.filter((message) => BigInt(message.offset) >= next)
    const last = fresh.at(-1)
    if (last === undefined) return
    await apply(trx, fresh)
    await markApplied(asConsumer(trx), topic, partition, BigInt(last.offset) + 1n)
  })
}

function faultOf<Tables extends ConsumerTables>(
  subscriptions: readonly Subscription<Tables>[],
  event: Event<unknown>,
): string | undefined {
  for (const subscription of subscriptions) {
    const fault = subscription.definition.type === event.type ? subscription.faultOf?.(event) : undefined
    if (fault !== undefined) return fault
  }
  return undefined
}

async function applyEvents<Tables extends ConsumerTables>(
  subscriptions: readonly Subscription<Tables>[],
  trx: Transaction<Tables>,
  events: Event<unknown>[],
): Promise<void> {
  let from = 0
  while (from < events.length) {
    const type = events[from]?.type
    let to = from + 1
    while (to < events.length && events[to]?.type === type) to += 1
    const run = events.slice(from, to)
    for (const { definition, apply } of subscriptions) if (definition.type === type) await apply(trx, run)
    from = to
  }
}

function bury<Tables extends ConsumerTables>(
  { options, letters }: Work<Tables>,
  trx: Transaction<Tables>,
  place: Place,
  dead: Letter[],
): Promise<void> {
  return letters.bury(asConsumer(trx), { ...place, letters: dead, now: options.now() })
}

/** A service's transaction, seen as one over the tables that every listener has. */
function asConsumer<Tables extends ConsumerTables>(trx: Transaction<Tables>): Transaction<ConsumerTables> {
  return trx as unknown as Transaction<ConsumerTables>
}
