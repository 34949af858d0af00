import { createHash } from 'node:crypto'
import { type ObjectStore, StoreError } from '@tapeline/objects/object-store'
import type { ArchiveFile } from './archive-queries.ts'
import type { ArchiveWriter } from './write-archive.ts'

/** Key prefix of all objects of a database's archive; a day follows. */
export function archivePrefix(archiveId: string): string {
  return `audit/requests/${archiveId}/date=`
}

const NUMBER_DIGITS = 4
const SHA_DIGITS = 16

type Finished = {
  /** findArchiveId */
  archiveId: string
  day: string
  number: number
  writer: ArchiveWriter
}

/** Stores a file under a name of its content, so that the same requests are the same object. @throws StoreError */
export async function putFile(store: ObjectStore, { archiveId, day, number, writer }: Finished): Promise<ArchiveFile> {
  const { rows, firstAccount = 0, lastAccount } = writer
  const { bytes, footerBytes } = await writer.finish()
  const sha256 = sha256Of(bytes)
  const footerSha256 = sha256Of(bytes.subarray(-footerBytes))
  const name = `${String(number).padStart(NUMBER_DIGITS, '0')}-${sha256.slice(0, SHA_DIGITS)}`
  const key = `${archivePrefix(archiveId)}${day}/${name}.parquet`
  await store.putIfAbsent(key, bytes)
  return { day, number, firstAccount, lastAccount, rows, bytes: bytes.length, sha256, footerBytes, footerSha256, key }
}

/** Reads the whole file. @throws StoreError @throws Error when it is missing, or its content is not what was written */
export async function verifyFile(store: ObjectStore, file: ArchiveFile): Promise<void> {
  if (!(await isIntact(store, file))) {
    throw new Error(`${file.key} is missing or damaged: its SHA-256 is not ${file.sha256}`)
  }
}

/** Reads the whole file. False: it is missing, too short or has other content. @throws StoreError when it cannot be read */
export async function isIntact(store: ObjectStore, { key, bytes, sha256 }: ArchiveFile): Promise<boolean> {
  try {
    return sha256Of(new Uint8Array(await store.getRange(key, 0, bytes))) === sha256
  } catch (error) {
    if (error instanceof StoreError && error.failure !== 'unavailable') return false
    throw error
  }
}

/** In hex. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
