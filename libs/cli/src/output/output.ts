import { once } from 'node:events'
import type { Arguments } from '../arguments.ts'
import { type Format, FORMATS } from '../command.ts'
import type { Columns } from './columns.ts'
import { formatRecords } from './format-records.ts'

/** From `--format`; the default depends on whether standard output is a terminal. */
export function formatOf(args: Arguments): Format {
  const named = FORMATS.find((format) => format === args.text('format'))
  return named ?? (process.stdout.isTTY ? 'table' : 'ndjson')
}

/** Returns when standard output can take more, so that a slow reader slows the calls down. */
export async function writeText(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** Writes each batch as it arrives. */
export async function writeBatches(
  batches: AsyncIterable<readonly object[]> | Iterable<readonly object[]>,
  format: Format,
  columns: Columns,
): Promise<void> {
  const formatter = formatRecords(format, columns)
  for await (const batch of batches) await writeText(formatter.next(batch))
  await writeText(formatter.end())
}

/** JSON and NDJSON write `whole`, table and CSV its `rows`. */
export async function writeOne(
  { whole, rows }: { whole: object; rows: readonly object[] },
  format: Format,
  columns: Columns,
): Promise<void> {
  if (format === 'json') return writeText(`${JSON.stringify(whole, undefined, 2)}\n`)
  return writeBatches([format === 'ndjson' ? [whole] : rows], format, columns)
}

/** At most `limit` records of the batches; nothing is loaded after the last one. */
export async function* takeRecords(
  batches: AsyncIterable<{ data: readonly object[] }>,
  limit: number,
): AsyncGenerator<readonly object[], void, undefined> {
  let remaining = limit
  for await (const { data } of batches) {
    // The widths of a table are those of its first records.
    if (data.length > 0) yield data.slice(0, remaining)
    remaining -= data.length
    if (remaining <= 0) return
  }
}
