import { ImportProblem } from './import-problem.ts'
import type { FileRun } from './kind.ts'
import type { Source } from './sources/open-source.ts'
import { readLines } from './sources/read-lines.ts'

/** Calls `take` for each line that is not empty; a line for which it throws is refused. */
export async function readByLine(
  source: Source,
  run: FileRun,
  take: (line: string, number: number) => void | Promise<void>,
): Promise<void> {
  let bytes = 0
  let number = 0
  for await (const lines of readLines(source, (read) => (bytes = read))) {
    for (const line of lines) {
      number += 1
      if (line === '') continue
      try {
        const pending = take(line, number)
        // Without this test every line would cost a turn of the microtask queue.
        if (pending !== undefined) await pending
      } catch (error) {
        if (error instanceof ImportProblem) throw error
        run.refuse(number, error instanceof Error ? error.message : 'cannot be read')
      }
    }
    await run.drain()
    run.deps.progress.advance(bytes, number)
  }
}
