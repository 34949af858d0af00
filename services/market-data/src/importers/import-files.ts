import { type FileToImport, importFile } from './import-file.ts'
import { createTaskQueue } from './task-queue.ts'
import type { ImportDeps, Progress } from './kind.ts'
import type { FileSummary } from './summary.ts'

export type Reports = {
  /** Called at the start of each file; the returned bar is ended when the file has been read. */
  progressOf: (file: FileToImport) => Progress & { end: () => void }
  onFile: (summary: FileSummary) => void
}

/** Imports files in the order given; while one is still being written into the lake, the next one is read. */
export async function importFiles(
  deps: Omit<ImportDeps, 'progress' | 'inTurn'>,
  files: readonly FileToImport[],
  { progressOf, onFile }: Reports,
): Promise<FileSummary[]> {
  const inTurn = createTaskQueue()
  const summaries: FileSummary[] = []
  const report = async (stored: Promise<FileSummary>) => {
    summaries.push(await stored)
    onFile(await stored)
  }
  let last: Promise<FileSummary> | undefined
  try {
    for (const file of files) {
      const progress = progressOf(file)
      const { stored } = await importFile({ ...deps, inTurn, progress }, file).finally(() => progress.end())
      if (last !== undefined) await report(last)
      last = stored
    }
    if (last !== undefined) await report(last)
    return summaries
  } finally {
    // All storing has finished when this function returns or throws.
    await last?.catch(() => {})
  }
}
