import { createHash } from 'node:crypto'
import type { FileRow } from '../files/layout.ts'

const FLUSH_CHARACTERS = 64 * 1024

/** Digest of all values of all rows, in order. */
export function createRowDigest(): { add: (row: FileRow) => void; end: () => string } {
  const hash = createHash('sha256')
  let waiting = ''
  return {
    add(row) {
      waiting += `${row.map((text) => (text === null ? '\\N' : text.replaceAll('\\', '\\\\'))).join('\u0001')}\n`
      if (waiting.length < FLUSH_CHARACTERS) return
      hash.update(waiting)
      waiting = ''
    },
    end: () => hash.update(waiting).digest('hex'),
  }
}
