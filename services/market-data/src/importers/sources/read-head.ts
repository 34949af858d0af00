import { unreadable } from './read-lines.ts'
import type { Source } from './open-source.ts'

/** The start of a file, enough to identify its format. */
export type Head = {
  name: string
  bytes: Buffer
  /** Complete lines; meaningless if the file is not text. */
  lines: string[]
}

const HEAD_BYTES = 1024 * 1024
const HEAD_LINES = 200

/** @throws ImportProblem */
export async function readHead(source: Source): Promise<Head> {
  const content = source.open()
  const pieces: Buffer[] = []
  let size = 0
  let isWhole = true
  try {
    for await (const piece of content) {
      pieces.push(Buffer.from(piece))
      size += piece.length
      isWhole = size < HEAD_BYTES
      if (!isWhole) break
    }
  } catch (error) {
    throw unreadable(source, error)
  } finally {
    content.destroy()
  }
  const bytes = Buffer.concat(pieces)
  // Unlike Buffer.toString, the decoder removes a byte order mark, as does reading the lines.
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/)
  // The last line may be cut off.
  if (!isWhole) lines.pop()
  return { name: source.name, bytes, lines: lines.filter((line) => line !== '').slice(0, HEAD_LINES) }
}
