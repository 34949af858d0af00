import type { ObjectStore } from '@tapeline/objects/object-store'

/** A bucket has 5 s for each read (libs/objects/src/s3-store.ts), so a slow link needs small ones. */
const RANGE_BYTES = 4 * 1024 * 1024

/** Reads an object of this size in ranges. @throws StoreError */
export async function readObject(store: ObjectStore, key: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at += RANGE_BYTES) {
    const range = await store.getRange(key, at, Math.min(at + RANGE_BYTES, size))
    bytes.set(new Uint8Array(range), at)
  }
  return bytes
}
