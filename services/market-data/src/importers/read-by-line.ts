import { ImportProblem } from './import-problem.ts'
import type { FileRun, ImportDeps } from './kind.ts'
import type { Source } from './sources/open-source.ts'
import { readLines } from './sources/read-lines.ts'

/** The part of a FileRun that reading by line needs. */
export type LineRun = Pick<FileRun, 'refuse' | 'drain'> & { deps: Pick<ImportDeps, 'progress'> }

/**
 * Calls `take` for each line that is not empty. A line for which it throws is skipped; a promise that it returns only
 * reads or stores records, so its rejection ends the import.
 */
export async function readByLine(source: Source, run: LineRun, take: HandleLine): Promise<void> {
  let bytes = 0
  let number = 0
  for await (const lines of readLines(source, (read) => (bytes = read))) {
    for (const line of lines) {
      number += 1
      if (line === '') continue
      const pending = takeOrRefuse(run, take, line, number)
      // Awaiting every line would cost a turn of the microtask queue each.
      if (pending !== undefined) await pending
    }
    await run.drain()
    run.deps.progress.advance(bytes, number)
  }
}

type HandleLine = (line: string, number: number) => void | Promise<void>

function takeOrRefuse(run: LineRun, take: HandleLine, line: string, number: number): void | Promise<void> {
  try {
    return take(line, number)
  } catch (error) {
    if (error instanceof ImportProblem) throw error
    return run.refuse(number, error instanceof Error ? error.message : 'cannot be read')
  }
}
