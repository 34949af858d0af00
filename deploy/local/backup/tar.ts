import { mkdirSync, readdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The format that every `tar` reads (POSIX ustar): a header of one block, then the content in whole blocks. */
const BLOCK_BYTES = 512
const READ_BYTES = 1024 * 1024
const NAME_BYTES_MAX = 100
const FILE_BYTES_MAX = 0o77_777_777_777
const CHECKSUM_AT = 148
const TYPE_AT = 156
const [FILE, FOLDER] = ['0', '5']
/** Names that this module writes; no part begins with a dot. */
const NAME = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/

/** What of a folder is left out, by name: entries, and the contents of folders. */
export type Excluded = { entries: ReadonlySet<string>; contents: ReadonlySet<string> }

/** A folder whose files may grow, shrink or be removed meanwhile: a removed one is left out, a short one ends in zeros. */
export async function* tarFolder(folder: string, name: string, excluded: Excluded): AsyncGenerator<Uint8Array> {
  yield header(name, 0, FOLDER)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [path, entryName] = [join(folder, entry.name), `${name}/${entry.name}`]
    if (excluded.entries.has(entry.name)) continue
    if (entry.isDirectory() && excluded.contents.has(entry.name)) yield header(entryName, 0, FOLDER)
    else if (entry.isDirectory()) yield* tarFolder(path, entryName, excluded)
    else if (entry.isFile()) yield* tarFile(path, entryName)
    else throw new Error(`${path} is neither a file nor a folder; tablespaces are not backed up`)
  }
}

export function* tarText(name: string, text: string): Generator<Uint8Array> {
  const bytes = Buffer.from(text)
  yield header(name, bytes.length, FILE)
  yield bytes
  yield Buffer.alloc(paddingOf(bytes.length))
}

/** Two empty blocks end the archive. */
export function* tarEnd(): Generator<Uint8Array> {
  yield Buffer.alloc(2 * BLOCK_BYTES)
}

/** Writes the files and folders into a folder. @throws Error if the archive is incomplete or has other entries */
export async function extractTar(chunks: AsyncIterable<Uint8Array>, into: string): Promise<void> {
  const source = createReader(chunks)
  for (;;) {
    const block = await source.read(BLOCK_BYTES)
    if (block.every((byte) => byte === 0)) break
    const { name, size, type } = parseHeader(block)
    const path = join(into, name)
    if (type === FOLDER) {
      mkdirSync(path, { recursive: true, mode: 0o700 })
      continue
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, 'wx', 0o600)
    try {
      for (let left = size; left > 0; left -= Math.min(left, READ_BYTES))
        await file.writeFile(await source.read(Math.min(left, READ_BYTES)))
    } finally {
      await file.close()
    }
    await source.read(paddingOf(size))
  }
  // The rest of the stream is read so that its end is verified as well.
  await source.end()
}

async function* tarFile(path: string, name: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined) return
  try {
    const { size } = await file.stat()
    yield header(name, size, FILE)
    for (let left = size; left > 0;) {
      const chunk = await readChunk(file, Math.min(left, READ_BYTES))
      left -= chunk.length
      yield chunk
    }
    yield Buffer.alloc(paddingOf(size))
  } finally {
    await file.close()
  }
}

/** Zeros if the file has been truncated. */
async function readChunk(file: FileHandle, length: number): Promise<Uint8Array> {
  const chunk = new Uint8Array(length)
  const { bytesRead } = await file.read(chunk, 0, length)
  return bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead)
}

function header(name: string, size: number, type: string): Uint8Array {
  if (!NAME.test(name) || name.length > NAME_BYTES_MAX || size > FILE_BYTES_MAX)
    throw new Error(`${name} (${size} bytes) cannot be backed up: its name or its size is not one of PostgreSQL's`)
  const block = Buffer.alloc(BLOCK_BYTES)
  block.write(name, 0)
  block.write(type === FOLDER ? '0000700' : '0000600', 100)
  block.write('0000000', 108)
  block.write('0000000', 116)
  block.write(size.toString(8).padStart(11, '0'), 124)
  block.write('00000000000', 136)
  block.write(type, TYPE_AT)
  block.write('ustar\u000000', 257)
  block.write(`${checksumOf(block)}\0 `, CHECKSUM_AT)
  return block
}

function parseHeader(bytes: Uint8Array): { name: string; size: number; type: string } {
  const block = Buffer.from(bytes)
  const field = (from: number, to: number) => block.toString('utf8', from, to).split('\0')[0] ?? ''
  const entry = { name: field(0, NAME_BYTES_MAX), size: Number.parseInt(field(124, 136), 8), type: field(TYPE_AT, 157) }
  const isKnown = entry.type === FILE || entry.type === FOLDER
  if (field(CHECKSUM_AT, TYPE_AT) !== checksumOf(block) || !NAME.test(entry.name) || !isKnown)
    throw new Error('the base backup has an entry that no backup writes')
  return entry
}

/** The sum of all bytes, with blanks in place of the sum. */
function checksumOf(block: Uint8Array): string {
  const sum = block.reduce((total, byte, at) => total + (at >= CHECKSUM_AT && at < TYPE_AT ? 0x20 : byte), 0)
  return sum.toString(8).padStart(6, '0')
}

function paddingOf(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES
}

type Reader = { read: (length: number) => Promise<Uint8Array>; end: () => Promise<void> }

/** Reads exact lengths from a stream of chunks. */
function createReader(chunks: AsyncIterable<Uint8Array>): Reader {
  const source = chunks[Symbol.asyncIterator]()
  let pending: Uint8Array = new Uint8Array()
  return {
    async read(length) {
      const bytes = new Uint8Array(length)
      for (let at = 0; at < length;) {
        if (pending.length === 0) {
          const { value, done } = await source.next()
          if (done === true) throw new Error('the base backup ends early')
          pending = value
        }
        const part = pending.subarray(0, length - at)
        bytes.set(part, at)
        at += part.length
        pending = pending.subarray(part.length)
      }
      return bytes
    },
    async end() {
      while ((await source.next()).done !== true);
    },
  }
}
