import type { TrailEntry } from '@tapeline/contracts/audit/trail'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'

type Column = { name: string; of: (entry: TrailEntry) => string | Date | null }

const asJson = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value))

const COLUMNS: readonly Column[] = [
  { name: 'time', of: ({ time }) => new Date(time) },
  { name: 'id', of: ({ id }) => id },
  { name: 'type', of: ({ type }) => type },
  { name: 'subject', of: ({ subject }) => subject },
  { name: 'actor_kind', of: ({ actor }) => actor.kind },
  { name: 'actor_id', of: ({ actor }) => actor.id },
  { name: 'network', of: ({ network }) => network },
  { name: 'target_type', of: ({ target }) => target.type },
  { name: 'target_id', of: ({ target }) => target.id },
  { name: 'before', of: ({ before }) => asJson(before) },
  { name: 'after', of: ({ after }) => asJson(after) },
  { name: 'reason', of: ({ reason }) => reason },
  { name: 'details', of: ({ details }) => asJson(details) },
  { name: 'hash', of: ({ hash }) => hash },
]

/** A Parquet file with a row group per page; one page is in memory at a time. */
export async function* parquetPages(pages: AsyncIterable<readonly TrailEntry[]>): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({ writer: bytes, schema: schemaOf(), createdBy: 'tapeline' })
  for await (const entries of pages) {
    const columnData = COLUMNS.map(({ name, of }) => ({ name, data: entries.map(of) }))
    await writer.write({ columnData, rowGroupSize: entries.length })
    yield take(bytes)
  }
  await writer.finish()
  yield take(bytes)
}

function schemaOf() {
  return [
    { name: 'root', num_children: COLUMNS.length },
    ...COLUMNS.map(({ name }) =>
      name === 'time'
        ? {
            name,
            type: 'INT64' as const,
            converted_type: 'TIMESTAMP_MILLIS' as const,
            repetition_type: 'REQUIRED' as const,
          }
        : { name, type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const, repetition_type: 'OPTIONAL' as const },
    ),
  ]
}

/** The bytes written since the last call; file offsets continue. */
function take(bytes: ByteWriter): Uint8Array {
  const taken = bytes.getBytes().slice()
  bytes.index = 0
  return taken
}
