import { importFiles as importPrepared } from '../src/importers/import-files.ts'
import type { ImportDeps } from '../src/importers/kind.ts'
import { kindsWith } from '../src/importers/kinds.ts'
import type { Mapping } from '../src/importers/mapped/mapping.ts'
import { prepareFiles } from '../src/importers/prepare-files.ts'
import type { FileSummary } from '../src/importers/summary.ts'

type TestImportDeps = Omit<ImportDeps, 'progress' | 'inTurn' | 'lakeBefore'> & Partial<Pick<ImportDeps, 'lakeBefore'>>

/**
 * Imports as the command does; without a kind, each file's content decides. Days before `lakeBefore` go straight into the
 * lake; without it all records go into PostgreSQL.
 */
export async function importFiles(
  deps: TestImportDeps,
  kindName: string | undefined,
  paths: readonly string[],
  mapping?: Mapping,
): Promise<FileSummary[]> {
  const kinds = kindsWith(mapping)
  const kind = kinds.find(({ name }) => name === kindName)
  const progress = { advance: () => {}, end: () => {} }
  const files = await prepareFiles(kinds, kind, paths)
  return importPrepared({ lakeBefore: undefined, ...deps }, files, { progressOf: () => progress, onFile: () => {} })
}
