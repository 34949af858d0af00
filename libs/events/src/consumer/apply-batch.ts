import type { Event } from '@tapeline/contracts/event'
import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Transaction } from 'kysely'
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import { applyEvents, parseFor, prepareEvents } from './apply-events.ts'
import type { Work } from './consumer-options.ts'
import { lockNextOffset, markApplied } from './consumer-queries.ts'
import type { Letter } from './dead-letter-box.ts'
import { goToNextOffset } from './go-to-next-offset.ts'
import { isTransient } from './is-transient.ts'
import type { Parsed } from '../parse-message.ts'

type Place = { topic: string; partition: number }

/** Applies a batch in one transaction. If a message fails, bisects the batch until the failing message is isolated. */
export async function applyBatch<Tables extends ConsumerTables>(
  work: Work<Tables>,
  consumer: Consumer,
  payload: EachBatchPayload,
): Promise<void> {
  const { topic, partition, messages } = payload.batch
  const last = messages.at(-1)
  if (last === undefined || payload.isStale() || !(await goToNextOffset(work, consumer, payload.batch))) return
  const parts = [messages]
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (!payload.isRunning() || payload.isStale()) return
    parts.push(...(await applyPart(work, { topic, partition }, part)))
    await payload.heartbeat()
  }
  payload.resolveOffset(last.offset)
}

/** Returns the parts to retry, the first one last. A failing message on its own becomes a dead letter. */
async function applyPart<Tables extends ConsumerTables>(
  work: Work<Tables>,
  place: Place,
  messages: KafkaMessage[],
): Promise<KafkaMessage[][]> {
  try {
    await applyMessages(work, place, messages)
    return []
  } catch (error) {
    if (isTransient(error)) throw error
    const half = Math.floor(messages.length / 2)
    if (half > 0) return [messages.slice(half), messages.slice(0, half)]
    const [message] = messages
    if (message === undefined) return []
    const reason = error instanceof Error ? error.message : String(error)
    work.options.log.error(
      { err: error, ...place, offset: message.offset },
      'consumer: a message could not be applied; it is stored as a dead letter',
    )
    await inOrder(work, place, messages, (trx) => storeDeadLetters(work, trx, place, [{ message, reason }]))
    return []
  }
}

async function applyMessages<Tables extends ConsumerTables>(
  work: Work<Tables>,
  place: Place,
  messages: KafkaMessage[],
): Promise<void> {
  const { subscriptions } = work.options
  const parser = work.parsers.get(place.topic)
  const parsed = messages.map(({ value }) => parseFor(parser, subscriptions, value))
  await prepareEvents(subscriptions, eventsOf(parsed))
  await inOrder(work, place, messages, async (trx, from) => {
    await applyEvents(subscriptions, trx, eventsOf(parsed.slice(from)))
    const letters = messages.slice(from).flatMap((message, n) => letterOf(message, parsed[from + n]))
    if (letters.length > 0) await storeDeadLetters(work, trx, place, letters)
  })
  work.options.onCommitted?.()
}

function eventsOf(parsed: readonly Parsed[]): Event<unknown>[] {
  const events: Event<unknown>[] = []
  for (const one of parsed) if ('event' in one) events.push(one.event)
  return events
}

function letterOf(message: KafkaMessage, parsed: Parsed | undefined): Letter[] {
  return parsed !== undefined && 'poison' in parsed ? [{ message, reason: parsed.poison }] : []
}

/** Calls `apply` with the position of the first message not applied yet, and moves the offset in the same transaction. */
async function inOrder<Tables extends ConsumerTables>(
  { options }: Work<Tables>,
  { topic, partition }: Place,
  messages: KafkaMessage[],
  apply: (trx: Transaction<Tables>, from: number) => Promise<void>,
): Promise<void> {
  await options.db.transaction().execute(async (trx) => {
    const next = await lockNextOffset(asConsumer(trx), topic, partition)
    const from = messages.findIndex(({ offset }) => BigInt(offset) >= next)
    const last = messages.at(-1)
    if (from === -1 || last === undefined) return
    await apply(trx, from)
    await markApplied(asConsumer(trx), topic, partition, BigInt(last.offset) + 1n)
  })
}

async function storeDeadLetters<Tables extends ConsumerTables>(
  { options, letters }: Work<Tables>,
  trx: Transaction<Tables>,
  place: Place,
  dead: Letter[],
): Promise<void> {
  if (options.isOnlooker === true) return
  await letters.store(asConsumer(trx), { ...place, letters: dead, now: options.now() })
}

/** Narrows a service's transaction to the tables that every consumer has. */
function asConsumer<Tables extends ConsumerTables>(trx: Transaction<Tables>): Transaction<ConsumerTables> {
  return trx as unknown as Transaction<ConsumerTables>
}
