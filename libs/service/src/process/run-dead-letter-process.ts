import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import { COMMAND_CONNECT_TIMEOUT_MS, connectDatabase, createPool } from '@tapeline/database/connect'
import type { Listening } from '@tapeline/events/consumer/topic-parsers'
import { DEAD_LETTER_USAGE, runDeadLetterCommand } from '@tapeline/events/dead-letters/dead-letter-command'
import { runCommand } from './run-command.ts'

export type DeadLetterProcess = {
  /** Name of the service. */
  name: string
  databaseUrl: string
  topicPrefix: string
}
type Pool = ReturnType<typeof createPool>

const STATEMENT_TIMEOUT_MS = 60_000

/**
 * Runs the dead-letter command in the arguments of this process on the database of a service, and sets the exit code.
 * `listen` returns the service's subscriptions, which `replay` applies.
 */
export async function runDeadLetterProcess<Tables extends ConsumerTables>(
  { name, databaseUrl, topicPrefix }: DeadLetterProcess,
  listen: (db: ReturnType<typeof connectDatabase<Tables>>, pool: Pool) => Omit<Listening<Tables>, 'topicPrefix'>,
): Promise<void> {
  const run = async (args: readonly string[]): Promise<number> => {
    const pool = createPool({
      url: databaseUrl,
      connectionsMax: 2,
      applicationName: `${name}-dead-letters`,
      connectTimeoutMs: COMMAND_CONNECT_TIMEOUT_MS,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    })
    try {
      const db = connectDatabase<Tables>(pool)
      return await runDeadLetterCommand(args, {
        ...listen(db, pool),
        db,
        topicPrefix,
        print: (line) => process.stdout.write(`${line}\n`),
      })
    } finally {
      await pool.end()
    }
  }
  await runCommand({ name: 'dead-letters', usage: `${DEAD_LETTER_USAGE}\n`, run })
}
