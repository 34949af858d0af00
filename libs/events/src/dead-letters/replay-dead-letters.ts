import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely, Transaction } from 'kysely'
import { applyEvents, understand } from '../consumer/apply-events.ts'
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
  /** Told of each letter that was left, with today's reason. */
  onLeft?: (place: LetterPlace, reason: string) => void
}
export type Replayed = { restored: number; left: number }

const PAGE = 100
const NOBODY_LISTENS = 'nobody here listens to it'

/**
 * Gives every dead letter to the listeners again; one that is understood and applied now is deleted in the same transaction.
 * It comes after events that were younger: listeners go by ids and versions, so that this changes nothing.
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
      const fate = await replay(options, parsers, place)
      if (fate === 'restored') replayed.restored += 1
      if (typeof fate === 'string') continue
      replayed.left += 1
      await setDeadLetterReason(db, place, readableReason(fate.reason))
      options.onLeft?.(place, fate.reason)
    }
    after = page.at(-1)
  } while (after !== undefined)
  return replayed
}

/** `gone`: somebody else replays it at this moment, or has. */
type Fate = 'restored' | 'gone' | { reason: string }

async function replay<Tables extends ConsumerTables>(
  { db, subscriptions }: ReplayOptions<Tables>,
  parsers: ReadonlyMap<string, Parser>,
  place: LetterPlace,
): Promise<Fate> {
  try {
    return await db.transaction().execute(async (trx) => {
      const letters = trx as unknown as Transaction<ConsumerTables>
      const payload = await lockDeadLetter(letters, place)
      if (payload === undefined) return 'gone'
      const understood = understand(parsers.get(place.topic), subscriptions, Buffer.from(payload, 'base64'))
      if ('poison' in understood) return { reason: understood.poison }
      if ('ignored' in understood) return { reason: NOBODY_LISTENS }
      await applyEvents(subscriptions, trx, [understood.event])
      await deleteDeadLetter(letters, place)
      return 'restored'
    })
  } catch (error) {
    if (isTransient(error)) throw error
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}
