import { StringDecoder } from 'node:string_decoder'
import type { FileRow } from '../files/layout.ts'

const ESCAPED: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v' }
const NULL = '\\N'

/** Rows of PostgreSQL's COPY text format. */
export async function* copyLines(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<FileRow> {
  const decoder = new StringDecoder('utf8')
  let partial = ''
  for await (const chunk of chunks) {
    const lines = (partial + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))).split('\n')
    partial = lines.pop() ?? ''
    for (const line of lines) yield fieldsOf(line)
  }
}

function fieldsOf(line: string): FileRow {
  const fields = line.split('\t')
  if (!line.includes('\\')) return fields
  return fields.map((field) => {
    if (field === NULL) return null
    return field.includes('\\') ? field.replace(/\\(.)/g, (_match, letter: string) => ESCAPED[letter] ?? letter) : field
  })
}
