import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely } from 'kysely'
import { type LetterPlace, listDeadLetters } from './dead-letter-queries.ts'
import { replayDeadLetters } from './replay-dead-letters.ts'
import type { Listening } from '../consumer/topic-parsers.ts'

export type DeadLetterCommand<Tables extends ConsumerTables> = Listening<Tables> & {
  db: Kysely<Tables>
  /** One line of the answer. */
  say: (line: string) => void
}

const PAGE = 100

/** `list` or `replay` as an operator says it; the exit code. */
export async function runDeadLetterCommand<Tables extends ConsumerTables>(
  args: readonly string[],
  command: DeadLetterCommand<Tables>,
): Promise<number> {
  const [verb = 'list', ...more] = args
  if (more.length > 0 || (verb !== 'list' && verb !== 'replay')) {
    command.say('usage: dead-letters list | replay')
    return 2
  }
  if (verb === 'replay') return replayAll(command)
  const db = command.db as unknown as Kysely<ConsumerTables>
  let after: LetterPlace | undefined
  do {
    const page = await listDeadLetters(db, after, PAGE)
    for (const letter of page) command.say(JSON.stringify(letter))
    after = page.at(-1)
  } while (after !== undefined)
  return 0
}

/** Ends with 1 while letters are left. */
async function replayAll<Tables extends ConsumerTables>(command: DeadLetterCommand<Tables>): Promise<number> {
  const onLeft = (place: LetterPlace, reason: string) => command.say(JSON.stringify({ ...place, reason }))
  const { restored, left } = await replayDeadLetters({ ...command, onLeft })
  command.say(JSON.stringify({ restored, left }))
  return left === 0 ? 0 : 1
}
