import { dayStart } from '../../nanoseconds.ts'
import { escapeCopy } from '../../store/copy-queries.ts'
import type { SealedFile } from '../manifest-queries.ts'
import type { FileReader } from '../reading/file-reader.ts'
import { fileRows } from '../reading/file-rows.ts'

const PART_CHARACTERS = 65_536

/** The rows of a sealed day as COPY lines, without line terminators. */
export async function* dayLines(reader: FileReader, file: SealedFile): AsyncGenerator<string> {
  const range = { start: dayStart(file.day), end: dayStart(file.day + 1) }
  for await (const row of fileRows(reader, file, range)) {
    yield row.map((text) => (text === null ? '\\N' : escapeCopy(text))).join('\t')
  }
}

/** The rows of sealed days, one after the other, as PostgreSQL's COPY would send them. */
export async function* copyDays(reader: FileReader, files: readonly SealedFile[]): AsyncGenerator<Uint8Array> {
  let part = ''
  for (const file of files) {
    for await (const line of dayLines(reader, file)) {
      part += `${line}\n`
      if (part.length < PART_CHARACTERS) continue
      yield Buffer.from(part)
      part = ''
    }
  }
  if (part !== '') yield Buffer.from(part)
}
