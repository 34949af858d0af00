import type pg from 'pg'
import { createEncoder, type Encoder } from './encoding/encoder.ts'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { createFileReader, type FileReader } from './reading/file-reader.ts'
import { createManifest, type Manifest } from './reading/manifest.ts'

/** Where sealed days are kept, how they are read and written. */
export type Lake = { store: ObjectStore; reader: FileReader; manifest: Manifest; encoder: Encoder }

export function createLake(pool: pg.Pool, store: ObjectStore, memoryBytes: number): Lake {
  return {
    store,
    reader: createFileReader(store, memoryBytes),
    manifest: createManifest(pool),
    encoder: createEncoder(),
  }
}
