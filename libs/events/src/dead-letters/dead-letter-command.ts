import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely } from 'kysely'
import { type LetterPlace, listDeadLetters } from './dead-letter-queries.ts'
import { replayDeadLetters } from './replay-dead-letters.ts'
import type { Listening } from '../consumer/topic-parsers.ts'

export type DeadLetterCommand<Tables extends ConsumerTables> = Listening<Tables> & {
  db: Kysely<Tables>
  /** Writes one line of output. */
  print: (line: string) => void
}

const PAGE = 100

/**
 * Runs `list` or `replay` for an operator.
 * @returns the exit code: 0, 1 when dead letters remain after `replay`, 2 for an unknown command
 */
export async function runDeadLetterCommand<Tables extends ConsumerTables>(
  args: readonly string[],
  command: DeadLetterCommand<Tables>,
): Promise<number> {
  const [verb = 'list', ...more] = args
  if (more.length > 0 || (verb !== 'list' && verb !== 'replay')) {
    command.print('usage: dead-letters list | replay')
    return 2
  }
  if (verb === 'replay') return replayAll(command)
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
