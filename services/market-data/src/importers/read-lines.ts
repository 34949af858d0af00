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

export async function* linesOf(file: string, source: Readable): AsyncGenerator<string> {
  const lines = createInterface({ input: source, crlfDelay: Infinity })
  // readline does not hand on what goes wrong with its input.
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  source.on('error', (error) => {
    failure.reject(new ImportProblem(file, undefined, `cannot be read: ${error.message}`))
    lines.close()
  })
  const iterator = lines[Symbol.asyncIterator]()
  for (;;) {
    const next = await Promise.race([iterator.next(), failure.promise])
    if (next.done === true) break
    yield next.value
  }
  if (source.errored !== null) await failure.promise
}

function unpack(source: Readable): Readable {
  const gunzip = createGunzip()
  source.on('error', (error) => gunzip.destroy(error))
  return source.pipe(gunzip)
}
