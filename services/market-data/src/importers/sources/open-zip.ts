import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { FileEntry } from '@zip.js/zip.js'
import { ImportProblem } from '../import-problem.ts'

export type ZipContent = { name: string; open: (onBytes?: (bytes: number) => void) => Readable }

/** The only entry of an archive. Its checksum is verified at the end of each read. @throws ImportProblem */
export async function openZip(file: string): Promise<ZipContent> {
  // Loaded when needed: most files are not archives, and the library takes 50 ms to load.
  const { BlobReader, configure, ZipReader } = await import('@zip.js/zip.js')
  configure({ useWebWorkers: false })
  const entries = await new ZipReader(new BlobReader(await openAsBlob(file))).getEntries().catch((error: unknown) => {
    throw new ImportProblem(file, undefined, `is not a zip archive that can be read: ${messageOf(error)}`)
  })
  const files = entries.filter((entry) => !entry.directory)
  const [entry] = files
  if (entry === undefined || files.length > 1) {
    throw new ImportProblem(file, undefined, `must contain exactly one file, not ${files.length}`)
  }
  if (entry.encrypted) throw new ImportProblem(file, undefined, `${entry.filename} is encrypted`)
  return { name: basename(entry.filename), open: (onBytes) => unpack(entry, onBytes) }
}

function unpack(entry: FileEntry, onBytes?: (bytes: number) => void): Readable {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const share = entry.compressedSize / Math.max(1, entry.uncompressedSize)
  const content = Readable.from(read())
  async function* read(): AsyncGenerator<Uint8Array> {
    // Not awaited before reading: the pipe only accepts as much as is read from its other end.
    const written = entry.getData(writable, { checkSignature: true }).catch((error: unknown) => {
      throw new Error(`${entry.filename} is damaged (${messageOf(error)})`)
    })
    written.catch(() => {})
    let bytes = 0
    try {
      for await (const piece of readable) {
        bytes += piece.length
        onBytes?.(bytes * share)
        yield piece
      }
    } catch {
      // `written` rejects with the actual reason.
    }
    await written
  }
  return content
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'damaged'
}
