import { createHash } from 'node:crypto'
import { type ObjectStore, StoreError } from '@tapeline/objects/object-store'
import type { Report } from '../report.ts'
import { StartProblem } from '../start-problem.ts'
import { megabytes } from './megabytes.ts'
import type { Manifest, Part } from './base-backups.ts'
import { readObject } from './read-object.ts'

const NUMBER_DIGITS = 5

export type PartOptions = { folder: string; partBytes: number; report: Report }

/** Stores a stream as objects of about `partBytes`; only one is in memory at a time. */
export async function putParts(
  store: ObjectStore,
  chunks: AsyncIterable<Uint8Array>,
  { folder, partBytes, report }: PartOptions,
): Promise<Part[]> {
  const parts: Part[] = []
  let pending: Uint8Array[] = []
  let bytes = 0
  let total = 0
  const put = async (): Promise<void> => {
    const content = new Uint8Array(Buffer.concat(pending))
    const key = `${folder}/${String(parts.length + 1).padStart(NUMBER_DIGITS, '0')}`
    if ((await store.putIfAbsent(key, content)) === 'exists') throw new Error(`${key} exists already`)
    parts.push({ key, bytes, sha256: createHash('sha256').update(content).digest('hex') })
    total += bytes
    report(`${megabytes(total)} stored in ${parts.length} ${parts.length === 1 ? 'part' : 'parts'}`)
    pending = []
    bytes = 0
  }
  for await (const chunk of chunks) {
    pending.push(chunk)
    bytes += chunk.length
    if (bytes >= partBytes) await put()
  }
  if (bytes > 0) await put()
  return parts
}

/** The stream that putParts stored; each part is verified before any of its bytes. @throws StartProblem */
export async function* readParts(store: ObjectStore, { parts }: Manifest, report: Report): AsyncGenerator<Uint8Array> {
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  for (const part of parts) {
    yield await readPart(store, part)
    done += part.bytes
    report(`${megabytes(done)} of ${megabytes(total)} read and verified`)
  }
}

async function readPart(store: ObjectStore, { key, bytes, sha256 }: Part): Promise<Uint8Array> {
  const content = await readObject(store, key, bytes).catch((error: unknown) => {
    if (error instanceof StoreError && error.failure === 'missing') throw unusable(key, 'is missing', error)
    if (error instanceof StoreError && error.failure === 'incomplete') throw unusable(key, 'is truncated', error)
    throw error
  })
  if (createHash('sha256').update(content).digest('hex') === sha256) return content
  throw unusable(key, 'is damaged (its SHA-256 is not the one in the manifest)')
}

function unusable(key: string, fault: string, cause?: unknown): StartProblem {
  return new StartProblem(
    `The part ${key} of the base backup ${fault}.`,
    'Restore it from a copy, or delete the manifest of this backup to restore from an earlier one.',
    { cause },
  )
}
