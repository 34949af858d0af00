import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely, Transaction } from 'kysely'
import { applyEvents, parseFor } from '../consumer/apply-events.ts'
import { readableReason } from '../consumer/dead-letter-box.ts'
import {
  deleteDeadLetter,
  type LetterPlace,
  listDeadLetters,
  lockDeadLetter,
  setDeadLetterReason,
} from './dead-letter-queries.ts'
import { isTransient } from '../consumer/is-transient.ts'
import type { Parser } from '../parse-message.ts'
import { type Listening, topicParsers } from '../consumer/topic-parsers.ts'

export type ReplayOptions<Tables extends ConsumerTables> = Listening<Tables> & {
  db: Kysely<Tables>
  /** Called for each remaining dead letter, with its current reason. */
  onUnresolved?: (place: LetterPlace, reason: string) => void
}
export type Replayed = { restored: number; left: number }

const PAGE = 100
const NO_SUBSCRIPTION = 'this service has no subscription for the event type'

/**
 * Passes every dead letter to its subscriptions again; an applied one is deleted in the same transaction. It runs
 * after younger events: handlers compare ids and versions, so the order does not matter.
 * @returns the number of restored and remaining dead letters
 */
export async function replayDeadLetters<Tables extends ConsumerTables>(
  options: ReplayOptions<Tables>,
): Promise<Replayed> {
  const db = options.db as unknown as Kysely<ConsumerTables>
  const parsers = topicParsers(options)
  const replayed: Replayed = { restored: 0, left: 0 }
  let after: LetterPlace | undefined
  do {
    const page = await listDeadLetters(db, after, PAGE)
    for (const place of page) {
      const outcome = await replay(options, parsers, place)
      if (outcome === 'restored') replayed.restored += 1
      if (typeof outcome === 'string') continue
      replayed.left += 1
      await setDeadLetterReason(db, place, readableReason(outcome.reason))
      options.onUnresolved?.(place, outcome.reason)
    }
    after = page.at(-1)
  } while (after !== undefined)
  return replayed
}

/** `gone`: another process is replaying it or already has. */
type Outcome = 'restored' | 'gone' | { reason: string }

async function replay<Tables extends ConsumerTables>(
  { db, subscriptions }: ReplayOptions<Tables>,
  parsers: ReadonlyMap<string, Parser>,
  place: LetterPlace,
): Promise<Outcome> {
  try {
    return await db.transaction().execute(async (trx) => {
      const letters = trx as unknown as Transaction<ConsumerTables>
      const payload = await lockDeadLetter(letters, place)
      if (payload === undefined) return 'gone'
      const parsed = parseFor(parsers.get(place.topic), subscriptions, Buffer.from(payload, 'base64'))
      if ('poison' in parsed) return { reason: parsed.poison }
      if ('ignored' in parsed) return { reason: NO_SUBSCRIPTION }
      await applyEvents(subscriptions, trx, [parsed.event])
      await deleteDeadLetter(letters, place)
      return 'restored'
    })
  } catch (error) {
    if (isTransient(error)) throw error
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}
