import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ImportProblem } from './import-problem.ts'

const GZIP_SUFFIX = '.gz'

export async function sizeOfFile(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) throw new ImportProblem(file, undefined, 'there is no such file')
  if (!found.isFile()) throw new ImportProblem(file, undefined, 'is not a file')
  return found.size
}

/** The lines of a text file, unpacked when its name ends in .gz; `onBytes` hears how much of the file was read. */
export async function* readLines(file: string, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  const source = createReadStream(file)
  source.on('data', () => onBytes(source.bytesRead))
  yield* linesOf(file, file.endsWith(GZIP_SUFFIX) ? unpack(source) : source)
}

/** What goes wrong with the source is said with the name of the file. */
export async function* linesOf(file: string, source: Readable): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: source, crlfDelay: Infinity })
  } catch (error) {
    throw new ImportProblem(file, undefined, `cannot be read: ${error instanceof Error ? error.message : 'damaged'}`)
  } finally {
    source.destroy()
  }
}

function unpack(source: Readable): Readable {
  const gunzip = createGunzip()
  source.on('error', (error) => gunzip.destroy(error))
  return source.pipe(gunzip)
}
