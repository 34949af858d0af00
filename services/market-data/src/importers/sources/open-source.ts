import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { ImportProblem } from '../import-problem.ts'
import { openZip } from './open-zip.ts'

/** A file to import, unpacked while it is read. */
export type Source = {
  file: string
  /** Name of the content: without `.gz` or `.zst`, or that of the only entry of an archive. */
  name: string
  sizeBytes: number
  /** The unpacked content from its start; `onBytes` receives how much of the file was read. */
  open: (onBytes?: (bytes: number) => void) => Readable
}

const MAGIC_BYTES = 4
const MAGIC = { gzip: '1f8b', zip: '504b', zstd: '28b52ffd' }

/** Decides by the first bytes of the file whether it is packed, not by its name. */
export async function openSource(file: string): Promise<Source> {
  const sizeBytes = await sizeOfFile(file)
  const magic = await readMagic(file)
  if (magic.startsWith(MAGIC.zip)) return { file, sizeBytes, ...(await openZip(file)) }
  const unpack = unpackerOf(magic)
  return {
    file,
    sizeBytes,
    name: basename(file).replace(/\.(gz|zst)$/i, ''),
    open: (onBytes) => {
      const packed = createReadStream(file)
      if (onBytes !== undefined) packed.on('data', () => onBytes(packed.bytesRead))
      const unpacker = unpack?.()
      if (unpacker === undefined) return packed
      packed.on('error', (error) => unpacker.destroy(error))
      unpacker.on('close', () => packed.destroy())
      return packed.pipe(unpacker)
    },
  }
}

async function sizeOfFile(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) throw new ImportProblem(file, undefined, 'there is no such file')
  if (!found.isFile()) throw new ImportProblem(file, undefined, 'is not a file')
  if (found.size === 0) throw new ImportProblem(file, undefined, 'is empty')
  return found.size
}

async function readMagic(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0)
    return buffer.subarray(0, bytesRead).toString('hex')
  } finally {
    await handle.close()
  }
}

function unpackerOf(magic: string) {
  if (magic.startsWith(MAGIC.gzip)) return createGunzip
  return magic === MAGIC.zstd ? createZstdDecompress : undefined
}
