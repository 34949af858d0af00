import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { readBody } from './read-body.ts'
import { pause } from './timers.ts'
import type { Tapeline } from './tapeline.ts'
import type { DataFile } from './types.ts'
import { TapelineError } from './tapeline-error.ts'

export type DownloadOptions = {
  signal?: AbortSignal
  /** Called after each part with the bytes stored so far. An exception ends the download. */
  onProgress?: (bytes: number, total: number) => void
  /** Connections that end early in a row before the download fails; each continues where the last one stopped. Default 8. */
  cutsMax?: number
  /** Waiting time without data after which the connection counts as cut, in milliseconds. Default 10,000. */
  silenceMs?: number
}

const CUTS_MAX = 8
const SILENCE_MS = 10_000
const PAUSE_MS = 250

/**
 * Stores a file of `tapeline.files.list()` at `path`. The bytes are kept in `<path>.part` until they are complete: a
 * download that was interrupted continues there, in this process or in a later one. The SHA-256 is checked before the
 * file gets its name; a part that belongs to another file is replaced.
 * @throws TapelineError `client.damaged` when the bytes are not those that the platform listed; the part is removed. Errors
 * of the file system, such as a full disk, and of `onProgress` are thrown as they are, and the part is kept
 */
export async function downloadFile(
  tapeline: Tapeline,
  file: Pick<DataFile, 'id' | 'bytes' | 'sha256'>,
  path: string,
  options: DownloadOptions = {},
): Promise<void> {
  const part = `${path}.part`
  const isResumed = (await sizeOf(part)) > 0
  await fetchPart(tapeline, file, { part, options })
  if ((await sha256Of(part)) !== file.sha256) {
    await rm(part)
    // The part of an earlier download may belong to another file, such as the previous revision.
    if (isResumed) return downloadFile(tapeline, file, path, options)
    const text = `The bytes of file ${file.id} do not match their SHA-256.`
    throw new TapelineError('client.damaged', text, { kind: 'damaged' })
  }
  await rename(part, path)
}

type Part = { part: string; options: DownloadOptions }

/** Appends to the partial file until it is complete, with as many connections as necessary. */
async function fetchPart(
  tapeline: Tapeline,
  file: Pick<DataFile, 'id' | 'bytes'>,
  { part, options }: Part,
): Promise<void> {
  const { cutsMax = CUTS_MAX, signal } = options
  let stored = await sizeOf(part)
  for (let cuts = 0; stored < file.bytes;) {
    const before = stored
    const failure = await append(tapeline, file, { part, offset: before, options }).catch((error: unknown) => error)
    stored = await sizeOf(part)
    cuts = stored > before ? 0 : cuts + 1
    if (failure === undefined) continue
    signal?.throwIfAborted()
    if (cuts > cutsMax || !canRetry(failure)) throw failure
    await pause(PAUSE_MS * cuts, signal)
  }
}

/** True only for failures of the connection: a full disk or an exception of `onProgress` would fail again. */
function canRetry(failure: unknown): boolean {
  return failure instanceof TapelineError && failure.kind !== 'answer'
}

async function append(
  tapeline: Tapeline,
  { id, bytes }: Pick<DataFile, 'id' | 'bytes'>,
  { part, offset, options }: Part & { offset: number },
): Promise<void> {
  const { signal, onProgress, silenceMs = SILENCE_MS } = options
  const answer = await tapeline.files.open(id, offset, signal === undefined ? {} : { signal })
  // A server that ignores the range sends the whole file.
  let at = answer.status === 206 ? offset : 0
  const out = await open(part, at === 0 ? 'w' : 'a')
  try {
    for await (const chunk of readBody(answer, 'download', silenceMs)) {
      await out.write(chunk)
      at += chunk.byteLength
      onProgress?.(at, bytes)
    }
  } finally {
    await out.close()
  }
  if (at < bytes) throw new TapelineError('client.network', 'The download was cut.', { kind: 'network' })
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
