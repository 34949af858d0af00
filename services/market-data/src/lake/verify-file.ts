import { createHash } from 'node:crypto'
import { openFile } from './files/open-file.ts'
import type { SealedFile } from './manifest-queries.ts'
import { readParts } from './read-parts.ts'
import type { ObjectStore } from '@tapeline/objects/object-store'

/** Reads a complete file and compares it with its manifest row. Returns the first difference, or undefined. */
export async function verifyFile(store: ObjectStore, file: SealedFile): Promise<string | undefined> {
  const { ref, sha256, fileRows } = file
  try {
    const hash = createHash('sha256')
    for await (const part of readParts(store, ref)) hash.update(part)
    const found = await store.head(ref.key)
    if (found?.size !== ref.bytes) return `it has ${found?.size ?? 0} bytes instead of ${ref.bytes}`
    if (hash.digest('hex') !== sha256) return 'its SHA-256 differs from the manifest'
    const opened = await openFile(ref, (from, to) => store.getRange(ref.key, from, to))
    return opened.rows === fileRows ? undefined : `it has ${opened.rows} rows instead of ${fileRows}`
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be read'
  }
}
