import { checksumOf, commitLine } from '../src/usage/journal-lines.ts'

/** What the journal has on disk after one write of these lines. */
export function journalBatch(...lines: string[]): string {
  const text = lines.map((line) => `${line} ${checksumOf(Buffer.from(line))}\n`).join('')
  return text + commitLine(Buffer.byteLength(text))
}
