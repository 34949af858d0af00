import { type FileHandle, open, readdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { Writable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { createTarPacker, type TarHeader, type TarPackController } from 'modern-tar'
import { unpackTar } from 'modern-tar/fs'

const READ_BYTES = 1024 * 1024
const [FILE_MODE, FOLDER_MODE] = [0o600, 0o700]

/** Names that are not packed: whole entries, and folders of which only the contents are left out. */
export type Excluded = { entries: ReadonlySet<string>; contents: ReadonlySet<string> }

/** A tar file of the entries that `pack` adds; about 10 MiB of it are in memory. */
export async function* tarOf(pack: (archive: TarPackController) => Promise<void>): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker()
  const finish = async (): Promise<void> => {
    try {
      await pack(controller)
      controller.finalize()
    } catch (error) {
      controller.error(error)
    }
  }
  void finish()
  yield* readable
}

/** Packs a folder whose files may change while it is read: removed files are left out, truncated ones padded with zeros. */
export async function packFolder(
  archive: TarPackController,
  folder: string,
  name: string,
  excluded: Excluded,
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  await packEntry(archive, { name, size: 0, type: 'directory' })
  for (const entry of entries) {
    const [path, entryName] = [join(folder, entry.name), `${name}/${entry.name}`]
    if (excluded.entries.has(entry.name)) continue
    if (entry.isDirectory() && excluded.contents.has(entry.name))
      await packEntry(archive, { name: entryName, size: 0, type: 'directory' })
    else if (entry.isDirectory()) await unlessRemoved(packFolder(archive, path, entryName, excluded))
    else if (entry.isFile()) await packFile(archive, path, entryName)
    else throw new Error(`${path} is neither a file nor a folder; tablespaces are not backed up`)
  }
}

export async function packText(archive: TarPackController, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  await packEntry(archive, { name, size: bytes.length }, [bytes])
}

/** Writes the files and folders into a folder; fails if the archive is incomplete or has other entries. */
export function extractTar(into: string): Writable {
  return unpackTar(into, { strict: true, map: checkEntry, fmode: FILE_MODE, dmode: FOLDER_MODE })
}

function checkEntry(header: TarHeader): TarHeader {
  // modern-tar itself refuses names with `..`.
  if ((header.type === 'file' || header.type === 'directory') && !isAbsolute(header.name)) return header
  throw new Error(`the base backup contains an unexpected entry: ${header.type} ${header.name}`)
}

async function packFile(archive: TarPackController, path: string, name: string): Promise<void> {
  const file = await unlessRemoved(open(path, 'r'))
  if (file === undefined) return
  try {
    const { size } = await file.stat()
    await packEntry(archive, { name, size }, contentOf(file, size))
  } finally {
    await file.close()
  }
}

async function packEntry(
  archive: TarPackController,
  header: TarHeader,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array> = [],
): Promise<void> {
  const mode = header.type === 'directory' ? FOLDER_MODE : FILE_MODE
  await ReadableStream.from(content).pipeTo(archive.add({ ...header, mode }))
}

/** Yields `size` bytes, as stated in the header; a file that was truncated is padded with zeros. */
async function* contentOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0;) {
    const chunk = new Uint8Array(Math.min(left, READ_BYTES))
    const { bytesRead } = await file.read(chunk)
    const read = bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead)
    left -= read.length
    yield read
  }
}

async function unlessRemoved<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
