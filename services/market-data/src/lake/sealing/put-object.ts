import type pg from 'pg'
import { StoreError } from '@tapeline/objects/object-store'
import type { Stores } from '../reading/list-stored-rows.ts'
import { lockObjectKey } from './sweep-queries.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Uploads an object before the manifest references it. @throws StoreError if the upload fails */
export async function putObject({ lake }: Stores, key: string, bytes: Bytes): Promise<void> {
  await lake.store.putIfAbsent(key, bytes)
  const found = await lake.store.head(key)
  if (found?.size !== bytes.length) {
    throw new StoreError('incomplete', `${key} has ${found?.size ?? 'no'} bytes instead of ${bytes.length}`)
  }
}

/**
 * In the transaction that references the object: stores it again if a sweep has deleted it as unreferenced in the
 * meantime.
 */
export async function protectObject(stores: Stores, client: pg.ClientBase, key: string, bytes: Bytes): Promise<void> {
  await lockObjectKey(client, key)
  if ((await stores.lake.store.head(key)) === undefined) await putObject(stores, key, bytes)
}
