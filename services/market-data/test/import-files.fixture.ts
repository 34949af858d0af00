import { importFile } from '../src/importers/import-file.ts'
import type { ImportDeps } from '../src/importers/kind.ts'
import { kindsWith } from '../src/importers/kinds.ts'
import type { Mapping } from '../src/importers/mapped/mapping.ts'
import { prepareFiles } from '../src/importers/prepare-files.ts'
import type { FileSummary } from '../src/importers/summary.ts'

/** Imports as the command does; without a kind, each file's content decides. */
export async function importFiles(
  deps: Omit<ImportDeps, 'progress'>,
  kindName: string | undefined,
  files: readonly string[],
  mapping?: Mapping,
): Promise<FileSummary[]> {
  const kinds = kindsWith(mapping)
  const kind = kinds.find(({ name }) => name === kindName)
  const progress = { advance: () => {} }
  const summaries: FileSummary[] = []
  for (const file of await prepareFiles(kinds, kind, files)) {
    summaries.push(await importFile({ ...deps, progress }, file))
  }
  return summaries
}
