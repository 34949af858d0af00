import { hostname, userInfo } from 'node:os'
import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely } from 'kysely'
import { deleteDeadLetter, type LetterPlace, listDeadLetters } from './dead-letter-queries.ts'
import { replayDeadLetters } from './replay-dead-letters.ts'
import type { Listening } from '../consumer/topic-parsers.ts'

export type DeadLetterCommand<Tables extends ConsumerTables> = Listening<Tables> & {
  db: Kysely<Tables>
  /** Writes one line of output. */
  print: (line: string) => void
}

const PAGE = 100
export const DEAD_LETTER_USAGE = 'Usage: dead-letters list | replay | discard <topic> <partition> <offset>'
/** Within PostgreSQL's integer and bigint. */
const PARTITION = /^\d{1,9}$/
const OFFSET = /^\d{1,18}$/

/**
 * Runs `list`, `replay` or `discard` for an operator.
 * @returns the exit code: 0, 1 when dead letters remain after `replay` or there is none to discard, 2 for an unknown
 *   command
 */
export async function runDeadLetterCommand<Tables extends ConsumerTables>(
  args: readonly string[],
  command: DeadLetterCommand<Tables>,
): Promise<number> {
  const [verb = 'list', ...more] = args
  const place = placeIn(more)
  if (verb === 'discard' && place !== undefined) return discard(command, place)
  if (verb === 'replay' && more.length === 0) return replayAll(command)
  if (verb === 'list' && more.length === 0) return listAll(command)
  command.print(DEAD_LETTER_USAGE)
  return 2
}

function placeIn(words: readonly string[]): LetterPlace | undefined {
  const [topic = '', partition = '', offset = ''] = words
  const isPlace = words.length === 3 && topic !== '' && PARTITION.test(partition) && OFFSET.test(offset)
  return isPlace ? { topic, partition: Number(partition), message_offset: offset } : undefined
}

async function listAll<Tables extends ConsumerTables>(command: DeadLetterCommand<Tables>): Promise<number> {
  const db = command.db as unknown as Kysely<ConsumerTables>
  let after: LetterPlace | undefined
  do {
    const page = await listDeadLetters(db, after, PAGE)
    for (const letter of page) command.print(JSON.stringify(letter))
    after = page.at(-1)
  } while (after !== undefined)
  return 0
}

/** Exit code 1 while dead letters remain. */
async function replayAll<Tables extends ConsumerTables>(command: DeadLetterCommand<Tables>): Promise<number> {
  const onUnresolved = (place: LetterPlace, reason: string) => command.print(JSON.stringify({ ...place, reason }))
  const { restored, left } = await replayDeadLetters({ ...command, onUnresolved })
  command.print(JSON.stringify({ restored, left }))
  return left === 0 ? 0 : 1
}

/** Deletes one dead letter without applying it, and prints a record of it with the time and the operator. */
async function discard<Tables extends ConsumerTables>(
  { db, print }: DeadLetterCommand<Tables>,
  place: LetterPlace,
): Promise<number> {
  const letter = await deleteDeadLetter(db as unknown as Kysely<ConsumerTables>, place)
  if (letter === undefined) {
    print(`no dead letter at ${place.topic} ${place.partition} ${place.message_offset}`)
    return 1
  }
  print(JSON.stringify({ discarded: { ...place, ...letter }, at: new Date().toISOString(), by: operator() }))
  return 0
}

/** `user@host` of this process. */
function operator(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // In a container, the user id may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}@${hostname()}`
  }
}
