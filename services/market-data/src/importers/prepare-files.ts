import type { FileToImport } from './import-file.ts'
import type { Kind, ReadFile } from './kind.ts'
import { recognizeKind } from './recognize-kind.ts'
import { openSource } from './sources/open-source.ts'
import { readHead } from './sources/read-head.ts'

/** Opens all files and decides their kinds, so that nothing is stored if one of them is rejected. */
export async function prepareFiles(
  kinds: readonly Kind[],
  requested: Kind | undefined,
  files: readonly string[],
): Promise<FileToImport[]> {
  const readers = new Map<Kind, ReadFile>()
  const prepared: FileToImport[] = []
  for (const file of files) {
    const source = await openSource(file)
    const head = await readHead(source)
    const kind = recognizeKind(kinds, requested, file, head)
    await kind.verify?.(source)
    const read = readers.get(kind) ?? kind.createReader()
    readers.set(kind, read)
    prepared.push({ source, head, kind, read })
  }
  return prepared
}
