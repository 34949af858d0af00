import type pg from 'pg'
import type { ObjectStore } from './objects/object-store.ts'
import { createFileReader, type FileReader } from './reading/file-reader.ts'
import { createManifest, type Manifest } from './reading/manifest.ts'

/** Where sealed days are kept and how they are read. */
export type Lake = { store: ObjectStore; reader: FileReader; manifest: Manifest }

export function createLake(pool: pg.Pool, store: ObjectStore, memoryBytes: number): Lake {
  return { store, reader: createFileReader(store, memoryBytes), manifest: createManifest(pool) }
}
