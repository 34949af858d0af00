import type { ObjectStore } from '@tapeline/objects/object-store'
import type { FileRef } from './files/open-file.ts'

/** A store limits the time of one read. */
const PART_BYTES = 8 * 1024 * 1024

type Part = Uint8Array<ArrayBuffer>

/** A complete file in parts of at most 8 MB. @throws StoreError */
export async function* readParts(store: ObjectStore, { key, bytes }: FileRef): AsyncGenerator<Part> {
  for (let from = 0; from < bytes; from += PART_BYTES) {
    yield new Uint8Array(await store.getRange(key, from, Math.min(bytes, from + PART_BYTES)))
  }
}

/** A complete file, read in parts. @throws StoreError */
export async function readWhole(store: ObjectStore, ref: FileRef): Promise<Part> {
  const whole = new Uint8Array(ref.bytes)
  let at = 0
  for await (const part of readParts(store, ref)) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
